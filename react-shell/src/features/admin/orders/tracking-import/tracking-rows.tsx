import { CircleAlert, CircleMinus, Truck } from "lucide-react";
import { Table, type Column } from "../../../../shared/ui/table";
import type { TrackingRow, TrackingVerdict } from "./api";

/** Rows shown at most. */
const MAX_SHOWN = 200;

type Group = "problem" | "ship" | "done";

const GROUPS: Record<Group, { order: number; icon: typeof Truck; color: string; label: string }> = {
  problem: { order: 0, icon: CircleAlert, color: "text-bad", label: "left alone" },
  ship: { order: 1, icon: Truck, color: "text-ok", label: "will be shipped" },
  done: { order: 2, icon: CircleMinus, color: "text-muted", label: "already shipped or repeated" },
};

interface ShownRow extends TrackingRow {
  id: string;
}

const COLUMNS: Column<ShownRow>[] = [
  { title: "Row", className: "tabular-nums", cell: ({ row }) => row },
  { title: "Order", className: "sm:min-w-28", cell: ({ order }) => <span className="wrap-anywhere">{order}</span> },
  {
    title: "Tracking Number",
    className: "sm:min-w-64",
    cell: ({ tracking_number }) => <span className="wrap-anywhere">{tracking_number}</span>,
  },
  { title: "Result", className: "w-full max-sm:w-auto", cell: (row) => <Verdict row={row} /> },
];

/** The rows of a checked file, problems first. */
export function TrackingRows({ rows }: { rows: TrackingRow[] }) {
  const sorted = rows.toSorted((a, b) => GROUPS[groupOf(a.verdict)].order - GROUPS[groupOf(b.verdict)].order);
  const shown = sorted.slice(0, MAX_SHOWN).map((row): ShownRow => Object.assign({ id: String(row.row) }, row));
  return (
    <div className="space-y-3">
      <p role="status" className="font-medium">
        {describe(rows)}
      </p>
      <Table caption="Rows of the file, problems first" columns={COLUMNS} rows={shown} />
      {rows.length > MAX_SHOWN && (
        <p className="text-sm text-muted">
          The first {MAX_SHOWN} of {rows.length.toLocaleString("en-US")} rows, problems first.
        </p>
      )}
    </div>
  );
}

function Verdict({ row }: { row: TrackingRow }) {
  const { icon: Icon, color } = GROUPS[groupOf(row.verdict)];
  return (
    <span className={`flex items-start gap-2 ${color}`}>
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0" />
      {row.message}
    </span>
  );
}

function describe(rows: TrackingRow[]): string {
  const count = (group: Group) => rows.filter(({ verdict }) => groupOf(verdict) === group).length;
  const parts = (["ship", "problem", "done"] as const).map((group) => ({ group, count: count(group) }));
  const named = parts.filter((part) => part.count > 0 || part.group === "ship");
  return `${named.map((part) => `${part.count.toLocaleString("en-US")} ${GROUPS[part.group].label}`).join(", ")}.`;
}

function groupOf(verdict: TrackingVerdict): Group {
  if (verdict === "ship") return "ship";
  return verdict === "already_shipped" || verdict === "duplicate" ? "done" : "problem";
}
