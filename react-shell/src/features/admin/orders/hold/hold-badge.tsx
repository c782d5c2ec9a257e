import { Hand } from "lucide-react";
import type { HoldReason } from "../api";
import { HOLD_LABELS } from "./hold-labels";

/** Marks an order on hold in the list. */
export function HoldBadge({ hold }: { hold: HoldReason }) {
  return (
    <span className="flex items-center gap-1 text-sm font-medium text-bad">
      <Hand aria-hidden className="size-4 shrink-0" />
      On Hold: {HOLD_LABELS[hold]}
    </span>
  );
}
