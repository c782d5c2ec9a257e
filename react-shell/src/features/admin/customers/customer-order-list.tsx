import { formatDate, type OrderListItem } from "../../../shared/rules";
import { StatusBadge } from "../../../shared/ui/badge";
import { ShopLink } from "../../../shared/ui/link";
import { Money } from "../../../shared/ui/money";
import { Pagination } from "../../../shared/ui/pagination";
import { Table, type Column } from "../../../shared/ui/table";
import type { CustomerOrders } from "./api";
import { adminPaths } from "../shared/paths";

const COLUMNS: Column<OrderListItem>[] = [
  {
    title: "Order",
    cell: (order) => (
      <>
        <ShopLink to={adminPaths.order(order.id)} className="text-link">
          {order.number}
        </ShopLink>
        <span className="block text-sm font-normal text-muted tabular-nums sm:hidden">
          {formatDate(order.order_date_local)}
        </span>
      </>
    ),
  },
  { title: "Date", className: "tabular-nums max-sm:hidden", cell: (order) => formatDate(order.order_date_local) },
  { title: "Status", cell: (order) => <StatusBadge status={order.status} /> },
  { title: "Total", className: "text-right", cell: (order) => <Money amount={order.total} /> },
];

export function CustomerOrderList({ page }: { page: CustomerOrders }) {
  return (
    <section>
      <h2 className="mb-3 text-xl">Orders</h2>
      {page.orders.length === 0 ? (
        <p className="text-muted">No orders yet.</p>
      ) : (
        <Table caption="Orders of this customer, newest first" columns={COLUMNS} rows={page.orders} />
      )}
      <Pagination page={page.page} totalPages={page.totalPages} label="Pages of orders" />
    </section>
  );
}
