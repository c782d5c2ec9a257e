import { TriangleAlert } from "lucide-react";
import { Money } from "../../../shared/ui/money";

/** The difference between a payout and its transactions: a warning unless it is zero. */
export function Difference({ amount }: { amount: number | undefined }) {
  if (amount === undefined) return <span className="text-muted">Pending</span>;
  if (amount === 0) return <Money amount={0} />;
  return (
    <span className="inline-flex items-center gap-1 font-medium text-bad">
      <TriangleAlert aria-hidden className="size-4 shrink-0" />
      <Money amount={amount} />
    </span>
  );
}
