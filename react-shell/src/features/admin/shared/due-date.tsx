import { Clock } from "lucide-react";
import type { Schema } from "../../../shared/api-types";
import { formatDay } from "./format-day";

/** Fewer days are urgent. */
const URGENT_DAYS = 3;

/** Until when the bank waits for evidence, counted down in days. */
export function DueDate({ response: { due_on: dueOn, days_left: daysLeft } }: { response: Schema<"ResponseDue"> }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 font-medium ${daysLeft < URGENT_DAYS ? "text-bad" : "text-warn"}`}
    >
      <Clock aria-hidden className="size-4 shrink-0" />
      <span className="tabular-nums">
        {daysLeft < 0 ? `Overdue since ${formatDay(dueOn)}` : `Respond by ${formatDay(dueOn)} · ${countdown(daysLeft)}`}
      </span>
    </span>
  );
}

function countdown(days: number): string {
  if (days === 0) return "today";
  return days === 1 ? "1 day left" : `${days} days left`;
}
