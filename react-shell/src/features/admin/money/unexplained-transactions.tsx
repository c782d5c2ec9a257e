import { TriangleAlert } from "lucide-react";
import type { BalanceTransaction } from "./api";
import { TransactionsTable } from "./transactions-table";

interface Props {
  transactions: BalanceTransaction[];
  total: number;
}

/** Transactions that the shop's records don't explain; renders nothing if there are none. */
export function UnexplainedTransactions({ transactions, total }: Props) {
  if (total === 0) return null;
  return (
    <section aria-labelledby="unexplained">
      <h2 id="unexplained" className="flex items-center gap-2 text-xl">
        <TriangleAlert aria-hidden className="size-5 text-warn" />
        Unexplained
      </h2>
      <p className="mb-3 text-muted">
        The shop’s orders don’t explain {total === 1 ? "this transaction" : "these transactions"}. Compare{" "}
        {total === 1 ? "it" : "them"} with Stripe’s dashboard.
        {total > transactions.length && ` The oldest ${transactions.length} of ${total} are listed.`}
      </p>
      <TransactionsTable
        caption={`Unexplained transactions, oldest first: ${total} in all`}
        transactions={transactions}
      />
    </section>
  );
}
