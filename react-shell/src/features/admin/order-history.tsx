import { formatDate, type HistoryEntry } from "../../shared/rules";
import { Card } from "../../shared/ui/page";

/** Who changed what, and when. */
export function OrderHistory({ history }: { history: HistoryEntry[] }) {
  if (history.length === 0) return null;
  return (
    <Card>
      <h2 className="mb-4 text-xl">History</h2>
      <ol className="space-y-2">
        {history.map((entry) => (
          <li key={`${entry.at} ${entry.what}`} className="flex flex-wrap gap-x-4">
            <time dateTime={entry.at} className="text-muted tabular-nums">
              {formatDate(entry.at)} {entry.at.slice(11, 16)} UTC
            </time>
            <span className="grow">{entry.what}</span>
            <span className="break-words text-muted">{entry.who}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
