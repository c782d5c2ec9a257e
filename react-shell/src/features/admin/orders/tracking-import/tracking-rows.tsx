import { CircleAlert, CircleMinus, TriangleAlert, Truck } from "lucide-react";
import { downloadFile } from "../../../../shared/download-file";
import { Button } from "../../../../shared/ui/button";
import { Table, type Column } from "../../../../shared/ui/table";
import type { TrackingRow } from "./api";
import { problemCsv } from "./problem-csv";

/** Rows shown at most. */
const MAX_SHOWN = 200;

type Group = "problem" | "warning" | "ship" | "done";

const GROUPS: Record<Group, { order: number; icon: typeof Truck; color: string; label: string }> = {
  problem: { order: 0, icon: CircleAlert, color: "text-bad", label: "skipped" },
  warning: { order: 1, icon: TriangleAlert, color: "text-warn", label: "will be shipped with a warning" },
  ship: { order: 2, icon: Truck, color: "text-ok", label: "will be shipped" },
  done: { order: 3, icon: CircleMinus, color: "text-muted", label: "already shipped or repeated" },
};

interface ShownRow extends TrackingRow {
  id: string;
}

const COLUMNS: Column<ShownRow>[] = [
  { title: "Row", className: "tabular-nums", cell: ({ row }) => row },
  {
    title: "Order",
    className: "min-w-22 sm:min-w-40",
    cell: ({ order, name }) => (
      <>
        <span className="block wrap-anywhere">{order}</span>
        <span className="block text-sm wrap-anywhere text-muted">{name}</span>
      </>
    ),
  },
  {
    title: "Tracking Number",
    className: "sm:min-w-64",
    cell: ({ tracking_number }) => <span className="wrap-anywhere">{tracking_number}</span>,
  },
  { title: "Result", className: "w-full max-sm:w-auto", cell: (row) => <Verdict row={row} /> },
];

/** The rows of a checked file, problems first. */
export function TrackingRows({ rows }: { rows: TrackingRow[] }) {
  const sorted = rows.toSorted((a, b) => GROUPS[groupOf(a)].order - GROUPS[groupOf(b)].order);
  return (
    <div className="space-y-3">
      <p role="status" className="font-medium">
        {describe(rows)}
      </p>
      <FirstRows caption="Rows of the file, problems first" rows={sorted} />
    </div>
  );
}

/** The skipped rows, with their problems. */
export function ProblemRows({ rows }: { rows: TrackingRow[] }) {
  return (
    <div className="space-y-3">
      <FirstRows caption="Skipped rows" rows={rows} />
      <Button onClick={() => downloadFile({ content: problemCsv(rows), name: "tracking-problems.csv" })}>
        Download as CSV
      </Button>
    </div>
  );
}

function FirstRows({ caption, rows }: { caption: string; rows: TrackingRow[] }) {
  const shown = rows.slice(0, MAX_SHOWN).map((row): ShownRow => Object.assign({ id: String(row.row) }, row));
  return (
    <>
      <Table caption={caption} columns={COLUMNS} rows={shown} />
      {rows.length > MAX_SHOWN && (
        <p className="text-sm text-muted">
          The first {MAX_SHOWN} of {rows.length.toLocaleString("en-US")} rows, problems first.
        </p>
      )}
    </>
  );
}

function Verdict({ row }: { row: TrackingRow }) {
  const { icon: Icon, color } = GROUPS[groupOf(row)];
  return (
    <span className={`flex items-start gap-2 ${color}`}>
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0" />
      {row.message}
    </span>
  );
}

function describe(rows: TrackingRow[]): string {
  const count = (group: Group) => rows.filter((row) => groupOf(row) === group).length;
  const parts = (["ship", "warning", "problem", "done"] as const).map((group) => ({ group, count: count(group) }));
  const named = parts.filter((part) => part.count > 0 || part.group === "ship");
  return `${named.map((part) => `${part.count.toLocaleString("en-US")} ${GROUPS[part.group].label}`).join(", ")}.`;
}

function groupOf({ verdict, warning }: TrackingRow): Group {
  if (verdict === "ship") return warning === undefined ? "ship" : "warning";
  return verdict === "already_shipped" || verdict === "duplicate" ? "done" : "problem";
}

export const isProblem = (row: TrackingRow) => groupOf(row) === "problem";
