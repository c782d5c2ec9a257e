import { formatMoney } from "../rules";

/** An amount as it came over the wire, written for people. */
export function Money({ amount }: { amount: number }) {
  return <span className="tabular-nums">{formatMoney(amount)}</span>;
}
