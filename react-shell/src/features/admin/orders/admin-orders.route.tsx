import { FileUp } from "lucide-react";
import { useRef } from "react";
import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import { requireAdmin } from "../../../shared/auth-guard";
import { deferred } from "../../../shared/deferred";
import { hasInvalidFilter, loadOrderList, type OrderListResult } from "../../../shared/order-list";
import { buttonClass } from "../../../shared/ui/button-class";
import { Deferred } from "../../../shared/ui/deferred";
import { ShopLink } from "../../../shared/ui/link";
import { NoOrders } from "../../../shared/ui/no-orders";
import { Page } from "../../../shared/ui/page";
import { Pagination } from "../../../shared/ui/pagination";
import { ResultCount } from "../../../shared/ui/result-count";
import { RouteError } from "../../../shared/ui/route-error";
import { TableSkeleton } from "../../../shared/ui/skeleton";
import { getOrderCounts, type AdminOrderPage, type OrderCounts } from "./api";
import { listOrders } from "../shared/api";
import { BulkActions } from "./bulk-actions";
import { BulkStatusNotice } from "./bulk-status/bulk-status-notice";
import { useBulkStatus } from "./bulk-status/use-bulk-status";
import { FilterChips } from "./filter-chips";
import { NewOrders, useNewOrders } from "./new-orders";
import { ORDER_FILTERS } from "./order-filter";
import { OrderFilters } from "./order-filters";
import { useOrderSelection, type OrderSelection } from "./order-selection";
import { OrderTabs } from "./order-tabs";
import { OrdersTable } from "./orders-table";
import { RowsPerPage, rowsPerPage } from "./rows-per-page";
import { useShortcuts } from "../shared/use-shortcuts";
import { adminPaths } from "../shared/paths";

interface Loaded {
  result: Promise<OrderListResult<AdminOrderPage>>;
  counts: Promise<OrderCounts>;
  limit: number;
}

export function loader({ request }: LoaderFunctionArgs): Loaded {
  requireAdmin(request);
  const limit = rowsPerPage(new URL(request.url).searchParams);
  return {
    result: loadOrderList(request, ORDER_FILTERS, listOrders, limit),
    counts: deferred(getOrderCounts()),
    limit,
  };
}

export function Component() {
  const { result, counts, limit } = useLoaderData<Loaded>();
  const search = useRef<HTMLDivElement>(null);
  const newOrders = useNewOrders(counts);
  const selection = useOrderSelection();
  const bulkStatus = useBulkStatus(selection.clear);
  useShortcuts({ "/": () => focusAndSelect(search.current?.querySelector("input")) });
  return (
    <Page title={newOrders > 0 ? `(${newOrders}) Orders` : "Orders"} heading="Orders" aside={<ImportLink />}>
      <Deferred data={counts} skeleton={<OrderTabs />} failure={<OrderTabs />}>
        {(loaded) => <OrderTabs counts={loaded} />}
      </Deferred>
      <NewOrders count={newOrders} />
      <Deferred
        data={result}
        skeleton={
          <>
            <OrderFilters searchRef={search} errors={{}} />
            <TableSkeleton rows={limit} columns={4} lines={1} />
          </>
        }
      >
        {(loaded) => (
          <>
            <OrderFilters searchRef={search} errors={loaded.fields} />
            <FilterChips />
            <ResultCount page={loaded.page} />
            <BulkStatusNotice bulk={bulkStatus} />
            <BulkActions selection={selection} onStatus={bulkStatus.change} />
            {loaded.page && <Orders page={loaded.page} selection={selection} />}
            {!loaded.page && !hasInvalidFilter(loaded) && (
              <RouteError message="Failed to fetch orders. Please try again later." />
            )}
          </>
        )}
      </Deferred>
    </Page>
  );
}

function ImportLink() {
  return (
    <ShopLink to={adminPaths.trackingImport} className={buttonClass("secondary")}>
      <FileUp aria-hidden className="size-5" />
      Import Tracking Numbers
    </ShopLink>
  );
}

/** Focuses a field and selects its text. */
function focusAndSelect(field: HTMLInputElement | null | undefined): void {
  field?.focus();
  field?.select();
}

function Orders({ page, selection }: { page: AdminOrderPage; selection: OrderSelection }) {
  if (page.orders.length === 0) return <NoOrders />;
  return (
    <>
      <OrdersTable page={page} selection={selection} />
      <RowsPerPage page={page} />
      <Pagination page={page.page} totalPages={page.totalPages} />
    </>
  );
}
