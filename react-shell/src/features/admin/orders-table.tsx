import { TriangleAlert } from "lucide-react";
import { useRef } from "react";
import { paths } from "../../shared/paths";
import { formatDate, type OrderListItem, type OrderPage } from "../../shared/rules";
import { Status } from "../../shared/ui/badge";
import { ShopLink, TEXT_LINK } from "../../shared/ui/link";
import { Money } from "../../shared/ui/money";
import { CELL, HEAD, TABLE } from "../../shared/ui/table";
import { useShortcuts } from "./use-shortcuts";

/** Moving through the rows moves the focus from link to link, so Enter opens the order without further ado. */
export function OrdersTable({ page }: { page: OrderPage }) {
  const body = useRef<HTMLTableSectionElement>(null);
  useShortcuts({ j: () => moveFocus(body.current, 1), k: () => moveFocus(body.current, -1) });
  return (
    <table className={TABLE}>
      <caption className="sr-only">Orders, newest first: {page.total} in all</caption>
      <thead className={HEAD}>
        <tr>
          <th scope="col">Order</th>
          <th scope="col" className="max-sm:hidden">
            Date
          </th>
          <th scope="col">Customer</th>
          <th scope="col">Status</th>
          <th scope="col" className="text-right max-sm:hidden">
            Total
          </th>
        </tr>
      </thead>
      <tbody ref={body}>
        {page.orders.map((order) => (
          <OrderRow key={order.id} order={order} />
        ))}
      </tbody>
    </table>
  );
}

function moveFocus(body: HTMLElement | null, by: 1 | -1): void {
  const links = [...(body?.querySelectorAll("a") ?? [])];
  const at = links.findIndex((link) => link === document.activeElement);
  const next = at === -1 ? 0 : at + by;
  links[next]?.focus();
}

function OrderRow({ order }: { order: OrderListItem }) {
  return (
    <tr className="hover:bg-line/30 has-focus-visible:bg-line/40">
      <td className={CELL}>
        <ShopLink to={paths.adminOrder(order.id)} className={TEXT_LINK}>
          {order.number}
        </ShopLink>
      </td>
      <td className={`${CELL} tabular-nums max-sm:hidden`}>{formatDate(order.order_date)}</td>
      <td className={`${CELL} w-full max-w-0`}>
        <span className="block truncate">{order.name}</span>
        <span className="block truncate text-sm text-muted">{order.user_email}</span>
      </td>
      <td className={CELL}>
        <Status status={order.status} />
        {order.needs_attention && (
          <span className="mt-1 flex items-center gap-1 text-sm font-medium whitespace-nowrap text-bad">
            <TriangleAlert aria-hidden className="size-4 shrink-0" />
            Needs attention
          </span>
        )}
        <span className="mt-1 block sm:hidden">
          <Money amount={order.total} />
        </span>
      </td>
      <td className={`${CELL} text-right max-sm:hidden`}>
        <Money amount={order.total} />
      </td>
    </tr>
  );
}
