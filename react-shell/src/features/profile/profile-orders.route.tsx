import { useEffect, useState } from "react";
import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import { hasInvalidFilter, loadOrderList, ORDERS_PER_PAGE, type OrderListResult } from "../../shared/order-list";
import { listOrders } from "../../shared/orders-api";
import { paths } from "../../shared/paths";
import { formatDate, type OrderListItem, type OrderPage } from "../../shared/rules";
import { requireSignedIn } from "../../shared/auth-guard";
import { StatusBadge } from "../../shared/ui/badge";
import { buttonClass } from "../../shared/ui/button-class";
import { DateRange } from "../../shared/ui/date-range";
import { Deferred } from "../../shared/ui/deferred";
import { FilterForm } from "../../shared/ui/filter-form";
import { ShopLink } from "../../shared/ui/link";
import { Money } from "../../shared/ui/money";
import { Pagination } from "../../shared/ui/pagination";
import { NoOrders } from "../../shared/ui/no-orders";
import { ResultCount } from "../../shared/ui/result-count";
import { RouteError } from "../../shared/ui/route-error";
import { TableSkeleton } from "../../shared/ui/skeleton";
import { Table, type Column } from "../../shared/ui/table";
import type { FieldErrors } from "../../shared/use-field-errors";

const COLUMNS: Column<OrderListItem>[] = [
  {
    title: "Order",
    cell: (order) => (
      <>
        <ShopLink to={paths.order(order.id)} className="text-link">
          {order.number}
        </ShopLink>
        <span className="block text-sm font-normal text-muted sm:hidden">{formatDate(order.order_date_local)}</span>
      </>
    ),
  },
  { title: "Date", className: "max-sm:hidden", cell: (order) => formatDate(order.order_date_local) },
  { title: "Recipient", className: "max-sm:hidden", cell: (order) => order.name },
  { title: "Status", cell: (order) => <StatusBadge status={order.status} /> },
  { title: "Total", className: "text-right", cell: (order) => <Money amount={order.total} /> },
];

interface Loaded {
  result: Promise<OrderListResult>;
}

export function loader({ request }: LoaderFunctionArgs): Loaded {
  requireSignedIn(request);
  return { result: loadOrderList(request, ["startDate", "endDate"], listOrders) };
}

export function Component() {
  const { result } = useLoaderData<Loaded>();
  return (
    <>
      <FilterForm>
        <DateRange errors={useFilterErrors(result)} />
      </FilterForm>
      <Deferred data={result} skeleton={<TableSkeleton rows={ORDERS_PER_PAGE} columns={3} lines={1} />}>
        {(loaded) => (
          <>
            <ResultCount page={loaded.page} />
            {loaded.page && <Orders page={loaded.page} />}
            {!loaded.page && !hasInvalidFilter(loaded) && (
              <RouteError message="Failed to fetch orders. Please try again later." />
            )}
          </>
        )}
      </Deferred>
    </>
  );
}

/** The errors of the filter's fields, none while the list loads. The fields stay, with what is typed meanwhile. */
function useFilterErrors(result: Promise<OrderListResult>): FieldErrors {
  const [errors, setErrors] = useState<FieldErrors>({});
  useEffect(() => {
    let isCurrent = true;
    void result.then(({ fields }) => isCurrent && setErrors(fields));
    return () => {
      isCurrent = false;
    };
  }, [result]);
  return errors;
}

function ShopLights() {
  return (
    <ShopLink to={paths.products} className={buttonClass("primary")}>
      Shop Lights
    </ShopLink>
  );
}

function Orders({ page }: { page: OrderPage }) {
  if (page.orders.length === 0) return <NoOrders action={<ShopLights />} />;
  return (
    <>
      <Table caption="Your orders, newest first" columns={COLUMNS} rows={page.orders} />
      <Pagination page={page.page} totalPages={page.totalPages} />
    </>
  );
}
