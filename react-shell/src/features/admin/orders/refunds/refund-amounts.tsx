import { formatMoney, taxLines } from "../../../../shared/rules";
import type { RefundParts } from "./api";

/** What a refund consists of: items, shipping, each tax and the total. */
export function RefundAmounts({ parts }: { parts: RefundParts }) {
  const taxes = taxLines(parts.tax_breakdown).filter((tax) => tax.amount > 0);
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-1 tabular-nums">
      {parts.subtotal > 0 && <Amount label="Items" amount={parts.subtotal} />}
      {parts.shipping > 0 && <Amount label="Shipping" amount={parts.shipping} />}
      {taxes.map((tax) => (
        <Amount key={tax.label} label={tax.label} amount={tax.amount} />
      ))}
      <dt className="font-semibold">Refund</dt>
      <dd className="text-right font-semibold">{formatMoney(parts.amount)}</dd>
    </dl>
  );
}

function Amount({ label, amount }: { label: string; amount: number }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="text-right">{formatMoney(amount)}</dd>
    </>
  );
}
