import { ShopLink } from "../../../shared/ui/link";
import { Table, type Column } from "../../../shared/ui/table";
import { Timestamp } from "../../../shared/ui/timestamp";
import type { StockMovement } from "./api";
import { adminPaths } from "../shared/paths";

const REASONS: Record<StockMovement["reason"], string> = {
  created: "Initial stock",
  edited: "Set by hand",
  sold: "Sold",
  restocked: "Restocked",
  received: "Received",
  corrected: "Counted",
};

const COLUMNS: Column<StockMovement>[] = [
  {
    title: "Time",
    className: "text-sm font-normal max-sm:hidden",
    cell: (movement) => <Timestamp at={movement.created_at_local} />,
  },
  { title: "Movement", className: "w-full break-words", cell: (movement) => <Movement movement={movement} /> },
  {
    title: "Change",
    className: "text-right whitespace-nowrap tabular-nums",
    cell: ({ change }) => signed(change),
  },
  {
    title: "Balance",
    className: "text-right whitespace-nowrap tabular-nums",
    cell: ({ balance }) => balance.toLocaleString("en-US"),
  },
];

/** A page of a product's stock movements, latest first. */
export function MovementsTable({ movements }: { movements: StockMovement[] }) {
  return <Table caption="Stock movements, latest first" columns={COLUMNS} rows={movements} />;
}

function Movement({ movement }: { movement: StockMovement }) {
  const { reason, order, note, actor, created_at_local: createdAtLocal } = movement;
  return (
    <>
      {REASONS[reason]}
      {order && (
        <>
          {" · "}
          <ShopLink to={adminPaths.order(order.id)} className="text-link">
            Order {order.number}
          </ShopLink>
        </>
      )}
      {note !== undefined && <span className="block">{note}</span>}
      <span className="block text-sm text-muted">
        <span className="sm:hidden">
          <Timestamp at={createdAtLocal} />
          {" · "}
        </span>
        <span className="break-all">{actor}</span>
      </span>
    </>
  );
}

/** "+20", "−3" or "0" */
function signed(change: number): string {
  const amount = Math.abs(change).toLocaleString("en-US");
  if (change === 0) return amount;
  return `${change > 0 ? "+" : "−"}${amount}`;
}
