import { formatMoney } from "../rules";

/** A formatted amount of US dollars. */
export function Money({ amount }: { amount: number }) {
  return <span className="tabular-nums">{formatMoney(amount)}</span>;
}
