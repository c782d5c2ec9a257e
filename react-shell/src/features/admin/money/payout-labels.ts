import type { BalanceTransaction, Payout } from "./api";

/** The parts of a payout in their order; they add up to its amount. */
export const PAYOUT_PARTS = [
  { label: "Payments", member: "payments" },
  { label: "Refunds", member: "refunds" },
  { label: "Fees", member: "fees" },
  { label: "Disputes", member: "disputes" },
  { label: "Adjustments", member: "adjustments" },
] as const satisfies readonly { label: string; member: keyof Payout }[];

const STATUSES: Record<string, string> = {
  pending: "Pending",
  in_transit: "In transit",
  paid: "Paid",
  failed: "Failed",
  canceled: "Canceled",
};

const CATEGORIES: Record<BalanceTransaction["category"], string> = {
  payment: "Payment",
  refund: "Refund",
  dispute: "Dispute",
  fee: "Fee",
  adjustment: "Adjustment",
  payout: "Payout",
  unknown: "Unknown",
};

/** Unknown statuses are shown as the provider writes them. */
export const statusLabel = (status: string) => STATUSES[status] ?? status;

/** A refund that comes back to the balance was returned by the customer's bank. */
export const transactionLabel = ({ category, amount }: Pick<BalanceTransaction, "category" | "amount">) =>
  category === "refund" && amount > 0 ? "Failed refund" : CATEGORIES[category];
