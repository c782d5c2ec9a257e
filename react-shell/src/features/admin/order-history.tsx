import type { HistoryEntry } from "../../shared/rules";
import { Timestamp } from "../../shared/ui/timestamp";
import { Card } from "../../shared/ui/page";

/** The order's audit history, latest first. */
export function OrderHistory({ history }: { history: HistoryEntry[] }) {
  if (history.length === 0) return null;
  const latestFirst = [...history].toReversed();
  return (
    <Card>
      <h2 className="mb-4 text-xl">Timeline</h2>
      <ol className="ml-1.5 border-l border-line">
        {latestFirst.map((entry, index) => (
          <li key={`${entry.created_at} ${entry.message}`} className="relative pb-4 pl-5 last:pb-0">
            <span
              aria-hidden
              className={`absolute top-2 -left-[5px] size-2.5 rounded-full ${index === 0 ? "bg-glow" : "bg-edge"}`}
            />
            <p className="break-words">{entry.message}</p>
            <p className="text-sm break-words text-muted">
              <Timestamp at={entry.created_at} />
              {" · "}
              {entry.actor}
            </p>
          </li>
        ))}
      </ol>
    </Card>
  );
}
