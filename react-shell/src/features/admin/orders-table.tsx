import { TriangleAlert } from "lucide-react";
import { useRef } from "react";
import { paths } from "../../shared/paths";
import { formatDate, type OrderListItem, type OrderPage } from "../../shared/rules";
import { StatusBadge } from "../../shared/ui/badge";
import { ShopLink } from "../../shared/ui/link";
import { Money } from "../../shared/ui/money";
import { Table, type Column } from "../../shared/ui/table";
import { useShortcuts } from "./use-shortcuts";

const COLUMNS: Column<OrderListItem>[] = [
  {
    title: "Order",
    cell: (order) => (
      <ShopLink to={paths.adminOrder(order.id)} className="text-link">
        {order.number}
      </ShopLink>
    ),
  },
  { title: "Date", className: "tabular-nums max-sm:hidden", cell: (order) => formatDate(order.order_date) },
  {
    title: "Customer",
    className: "w-full max-w-0",
    cell: (order) => (
      <>
        <span className="block truncate">{order.name}</span>
        <span className="block truncate text-sm text-muted">{order.user_email}</span>
      </>
    ),
  },
  { title: "Status", cell: (order) => <StatusCell order={order} /> },
  { title: "Total", className: "text-right max-sm:hidden", cell: (order) => <Money amount={order.total} /> },
];

function StatusCell({ order }: { order: OrderListItem }) {
  return (
    <>
      <StatusBadge status={order.status} />
      {order.needs_attention && (
        <span className="mt-1 flex items-center gap-1 text-sm font-medium whitespace-nowrap text-bad">
          <TriangleAlert aria-hidden className="size-4 shrink-0" />
          Needs review
        </span>
      )}
      <span className="mt-1 block sm:hidden">
        <Money amount={order.total} />
      </span>
    </>
  );
}

/** The table of orders. The keys j and k move the focus between its links, so that Enter opens an order. */
export function OrdersTable({ page }: { page: OrderPage }) {
  const body = useRef<HTMLTableSectionElement>(null);
  useShortcuts({ j: () => moveFocus(body.current, 1), k: () => moveFocus(body.current, -1) });
  return (
    <Table
      caption={`Orders, newest first: ${page.moreThanTotal ? `more than ${page.total}` : page.total} in all`}
      columns={COLUMNS}
      rows={page.orders}
      rowClassName="hover:bg-line/30 has-focus-visible:bg-line/40"
      bodyRef={body}
    />
  );
}

function moveFocus(body: HTMLElement | null, by: 1 | -1): void {
  const links = [...(body?.querySelectorAll("a") ?? [])];
  const index = links.findIndex((link) => link === document.activeElement);
  const next = index === -1 ? 0 : index + by;
  links[next]?.focus();
}
