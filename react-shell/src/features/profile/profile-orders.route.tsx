import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import { hasInvalidFilter, loadOrderList, type OrderListResult } from "../../shared/order-list";
import { listOrders } from "../../shared/orders-api";
import { paths } from "../../shared/paths";
import { formatDate, type OrderListItem, type OrderPage } from "../../shared/rules";
import { requireSignedIn } from "../../shared/auth-guard";
import { StatusBadge } from "../../shared/ui/badge";
import { DateRange } from "../../shared/ui/date-range";
import { FilterForm } from "../../shared/ui/filter-form";
import { ShopLink } from "../../shared/ui/link";
import { Money } from "../../shared/ui/money";
import { Notice } from "../../shared/ui/notice";
import { Pagination } from "../../shared/ui/pagination";
import { Table, type Column } from "../../shared/ui/table";

const COLUMNS: Column<OrderListItem>[] = [
  {
    title: "Order",
    cell: (order) => (
      <>
        <ShopLink to={paths.order(order.id)} className="text-link">
          {order.number}
        </ShopLink>
        <span className="block text-sm font-normal text-muted sm:hidden">{formatDate(order.order_date)}</span>
      </>
    ),
  },
  { title: "Date", className: "max-sm:hidden", cell: (order) => formatDate(order.order_date) },
  { title: "Recipient", className: "max-sm:hidden", cell: (order) => order.name },
  { title: "Status", cell: (order) => <StatusBadge status={order.status} /> },
  { title: "Total", className: "text-right", cell: (order) => <Money amount={order.total} /> },
];

export async function loader({ request }: LoaderFunctionArgs): Promise<OrderListResult> {
  requireSignedIn(request);
  return loadOrderList(request, ["startDate", "endDate"], listOrders);
}

export function Component() {
  const result = useLoaderData<OrderListResult>();
  return (
    <>
      <FilterForm>
        <DateRange errors={result.fields} />
      </FilterForm>
      {result.page && <Orders page={result.page} />}
      {!result.page && !hasInvalidFilter(result) && (
        <Notice kind="error">Failed to fetch orders. Please try again later.</Notice>
      )}
    </>
  );
}

function Orders({ page }: { page: OrderPage }) {
  if (page.orders.length === 0) return <p className="text-lg">No orders found for the selected criteria.</p>;
  return (
    <>
      <Table caption="Your orders, newest first" columns={COLUMNS} rows={page.orders} />
      <Pagination page={page.page} totalPages={page.totalPages} />
    </>
  );
}
