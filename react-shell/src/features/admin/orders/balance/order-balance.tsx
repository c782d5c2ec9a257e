import { useEffect } from "react";
import { useFetcher } from "react-router";
import { Money } from "../../../../shared/ui/money";
import type { OrderBalance as Balance } from "./api";
import { orderPaths } from "../paths";

/** Fee and net amount of an order, as terms of its list of amounts; nothing until the provider reports them. */
export function OrderBalance({ orderId }: { orderId: string }) {
  const { data, load } = useFetcher<Balance | null>();
  useEffect(() => {
    void load(orderPaths.orderBalance(orderId));
  }, [load, orderId]);
  if (!data || data.transactions.length === 0) return null;
  return (
    <>
      <Term label="Stripe fee" amount={-data.fee} />
      {data.disputed !== 0 && <Term label="Disputed" amount={data.disputed} />}
      <Term label="Net" amount={data.net} />
    </>
  );
}

function Term({ label, amount }: { label: string; amount: number }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="text-right text-muted">
        <Money amount={amount} />
      </dd>
    </>
  );
}
