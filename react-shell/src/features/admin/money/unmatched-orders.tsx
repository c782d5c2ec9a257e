import { TriangleAlert } from "lucide-react";
import { formatDate } from "../../../shared/rules";
import { ShopLink } from "../../../shared/ui/link";
import { Money } from "../../../shared/ui/money";
import { Table, type Column } from "../../../shared/ui/table";
import type { PayoutPage } from "./api";
import { adminPaths } from "../shared/paths";

type UnmatchedOrder = PayoutPage["unmatched_orders"][number];

const COLUMNS: Column<UnmatchedOrder>[] = [
  {
    title: "Order",
    cell: ({ id, number }) => (
      <ShopLink to={adminPaths.order(id)} className="text-link">
        {number}
      </ShopLink>
    ),
  },
  { title: "Date", className: "w-full tabular-nums", cell: (order) => formatDate(order.order_date_local) },
  { title: "Total", className: "text-right", cell: ({ total }) => <Money amount={total} /> },
];

/** Paid orders whose payment Stripe doesn’t list; renders nothing if there are none. */
export function UnmatchedOrders({ orders, total }: { orders: UnmatchedOrder[]; total: number }) {
  if (total === 0) return null;
  return (
    <section aria-labelledby="unmatched">
      <h2 id="unmatched" className="flex items-center gap-2 text-xl">
        <TriangleAlert aria-hidden className="size-5 text-warn" />
        Orders without a transaction
      </h2>
      <p className="mb-3 text-muted">
        Stripe’s transactions don’t have the payment of {total === 1 ? "this order" : "these orders"}. Compare{" "}
        {total === 1 ? "it" : "them"} with Stripe’s dashboard before you ship. Orders of the last 90 days are checked.
        {total > orders.length && ` The oldest ${orders.length} of ${total} are listed.`}
      </p>
      <Table
        caption={`Orders without a transaction, oldest first: ${total} in all`}
        columns={COLUMNS}
        rows={orders}
        density="compact"
      />
    </section>
  );
}
