import type { HoldReason } from "../api";

/** Hold reasons in the middle of a sentence. */
export const HOLD_LABELS: Record<HoldReason, string> = {
  dispute: "open dispute",
  lost_dispute: "lost dispute",
  inquiry: "bank inquiry",
  fraud_warning: "early fraud warning",
};
