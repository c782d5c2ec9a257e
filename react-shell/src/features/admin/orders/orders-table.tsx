import { TriangleAlert } from "lucide-react";
import { useRef, type ChangeEvent } from "react";
import { useSearchParams } from "react-router";
import { formatDate } from "../../../shared/rules";
import { StatusBadge } from "../../../shared/ui/badge";
import { ShopLink } from "../../../shared/ui/link";
import { Money } from "../../../shared/ui/money";
import { Table, type Column } from "../../../shared/ui/table";
import type { AdminOrderListItem, AdminOrderPage } from "./api";
import { SelectionBar } from "./bulk-actions";
import { withFilter } from "./order-filter";
import { HoldBadge } from "./hold/hold-badge";
import type { OrderSelection } from "./order-selection";
import { useShortcuts } from "../shared/use-shortcuts";
import { adminPaths } from "../shared/paths";

const COLUMNS: Column<AdminOrderListItem>[] = [
  { title: "Date", className: "tabular-nums max-sm:hidden", cell: (order) => formatDate(order.order_date_local) },
  {
    title: "Customer",
    className: "w-full max-w-0",
    cell: (order) => (
      <span className="block truncate max-sm:py-2">
        {order.name} <span className="ml-2 text-sm text-muted max-sm:hidden">{order.user_email}</span>
        <span className="block text-sm text-muted tabular-nums sm:hidden">
          {formatDate(order.order_date_local)}
          <span className="block">
            <Money amount={order.total} />
          </span>
        </span>
      </span>
    ),
  },
  { title: "Status", cell: (order) => <StatusCell order={order} /> },
  { title: "Total", className: "text-right max-sm:hidden", cell: (order) => <Money amount={order.total} /> },
];

function StatusCell({ order }: { order: AdminOrderListItem }) {
  const openAlerts = order.open_alerts;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 max-sm:py-2 sm:flex-nowrap">
      <StatusBadge status={order.status} />
      {order.hold && <HoldBadge hold={order.hold} />}
      {openAlerts > 0 && (
        <span className="flex items-center gap-1 text-sm font-medium whitespace-nowrap text-bad">
          <TriangleAlert aria-hidden className="size-4 shrink-0" />
          {openAlerts === 1 ? "1 alert" : `${openAlerts} alerts`}
        </span>
      )}
    </span>
  );
}

interface Props {
  page: AdminOrderPage;
  selection: OrderSelection;
}

/**
 * The table of orders. The keys j and k move the focus between its links, so that Enter opens an order; x selects the
 * focused one.
 */
export function OrdersTable({ page, selection }: Props) {
  const [params] = useSearchParams();
  const body = useRef<HTMLTableSectionElement>(null);
  const listed = page.orders.map((order) => order.number);
  useShortcuts({
    j: () => moveFocus(body.current, 1),
    k: () => moveFocus(body.current, -1),
    x: () => {
      const number = listed[focusedRow(body.current)];
      if (number !== undefined) selection.toggle(number, listed, "single");
    },
  });
  return (
    <>
      <SelectionBar selection={selection} page={page} />
      <Table
        caption={`Orders, ${params.get("sort") === "oldest" ? "oldest" : "newest"} first: ${page.more_than_total ? `more than ${page.total}` : page.total} in all`}
        columns={[numberColumn(listed, selection), ...COLUMNS]}
        rows={page.orders}
        rowClassName="hover:bg-line/30 has-focus-visible:bg-line/40 has-checked:bg-glow/10"
        bodyRef={body}
        density="compact"
      />
    </>
  );
}

function numberColumn(listed: number[], selection: OrderSelection): Column<AdminOrderListItem> {
  return {
    title: "Order",
    cell: (order) => <NumberCell order={order} listed={listed} selection={selection} />,
  };
}

function NumberCell({
  order,
  listed,
  selection,
}: Omit<Props, "page"> & { order: AdminOrderListItem; listed: number[] }) {
  const [params] = useSearchParams();

  function toggle({ nativeEvent }: ChangeEvent) {
    const isShiftClick = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
    selection.toggle(order.number, listed, isShiftClick ? "range" : "single");
  }

  return (
    <span className="flex items-center gap-1">
      <label className="-ml-2 grid size-9 shrink-0 place-items-center sm:-ml-3">
        <input
          type="checkbox"
          className="size-5"
          aria-label={`Select order ${order.number}`}
          checked={selection.isAllMatching || selection.numbers.has(order.number)}
          onChange={toggle}
        />
      </label>
      <ShopLink to={withFilter(adminPaths.order(order.id), params)} className="text-link">
        {order.number}
      </ShopLink>
    </span>
  );
}

/** The index of the row with the focus; -1 without one. */
function focusedRow(body: HTMLElement | null): number {
  return [...(body?.children ?? [])].findIndex((row) => row.contains(document.activeElement));
}

function moveFocus(body: HTMLElement | null, by: 1 | -1): void {
  const links = [...(body?.querySelectorAll("a") ?? [])];
  const index = focusedRow(body);
  const next = index === -1 ? 0 : index + by;
  links[next]?.focus();
}
