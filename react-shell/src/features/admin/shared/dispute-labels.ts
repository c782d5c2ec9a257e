import type { Schema } from "../../../shared/api-types";
import { formatMoney } from "../../../shared/rules";

type Dispute = Schema<"Dispute">;

const LABELS: Record<Dispute["status"], string> = {
  none: "Inquiry closed",
  warning: "Inquiry under review",
  open: "Under review",
  won: "Won",
  lost: "Lost",
};

export function disputeLabel({ status, needs_response: needsResponse }: Dispute): string {
  if (!needsResponse) return LABELS[status];
  return status === "warning" ? "Inquiry: response needed" : "Response needed";
}

/** A provider's code such as `product_not_received`, as words. */
export function words(code: string): string {
  const text = code.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What the bank did with the money; empty if nothing. */
export function fundsLabel({ withdrawn, reinstated }: Dispute): string {
  if (withdrawn === 0) return "";
  if (reinstated === 0) return `The bank withdrew ${formatMoney(withdrawn)}.`;
  return `The bank withdrew ${formatMoney(withdrawn)} and returned ${formatMoney(reinstated)}.`;
}
