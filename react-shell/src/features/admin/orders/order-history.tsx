import { StickyNote } from "lucide-react";
import type { HistoryEntry } from "../../../shared/rules";
import { Timestamp } from "../../../shared/ui/timestamp";
import { Card } from "../../../shared/ui/page";
import { NoteForm } from "./order-note-form";

/** The order's audit history with its internal notes, latest first. */
export function OrderHistory({ history }: { history: HistoryEntry[] }) {
  const latestFirst = [...history].toReversed();
  return (
    <Card>
      <h2 className="mb-4 text-xl">Timeline</h2>
      <NoteForm />
      <ol className="ml-1.5 border-l border-line">
        {latestFirst.map((entry, index) => (
          <li key={`${entry.created_at_local} ${entry.message}`} className="relative pb-4 pl-5 last:pb-0">
            <span
              aria-hidden
              className={`absolute top-2 -left-[5px] size-2.5 rounded-full ${index === 0 ? "bg-glow" : "bg-edge"}`}
            />
            {entry.is_note ? <Note text={entry.message} /> : <p className="break-words">{entry.message}</p>}
            <p className="text-sm break-words text-muted">
              <Timestamp at={entry.created_at_local} />
              {" · "}
              {entry.actor}
            </p>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Note({ text }: { text: string }) {
  return (
    <div className="mb-1 flex gap-2.5 rounded-field border border-edge bg-glow/10 px-3 py-2">
      <StickyNote aria-hidden className="mt-1 size-4 shrink-0 text-glow-ink" />
      <p className="min-w-0 break-words whitespace-pre-line">
        <span className="sr-only">Note: </span>
        {text}
      </p>
    </div>
  );
}
