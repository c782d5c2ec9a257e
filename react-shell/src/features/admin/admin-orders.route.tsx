import { useRef, type RefObject } from "react";
import { useLoaderData, useSearchParams, type LoaderFunctionArgs } from "react-router";
import { hasInvalidFilter, loadOrderList, ORDERS_PER_PAGE, type OrderListResult } from "../../shared/order-list";
import { orderStatusFilters, orderStatusLabel, type OrderPage } from "../../shared/rules";
import { requireAdmin } from "../../shared/auth-guard";
import { DateRange } from "../../shared/ui/date-range";
import { Deferred } from "../../shared/ui/deferred";
import { SelectField, TextField } from "../../shared/ui/field";
import { FilterForm } from "../../shared/ui/filter-form";
import { NoOrders } from "../../shared/ui/no-orders";
import { Page } from "../../shared/ui/page";
import { Pagination } from "../../shared/ui/pagination";
import { ResultCount } from "../../shared/ui/result-count";
import { RouteError } from "../../shared/ui/route-error";
import { TableSkeleton } from "../../shared/ui/skeleton";
import type { FieldErrors } from "../../shared/use-field-errors";
import { listOrders } from "./api";
import { BulkActions } from "./bulk-actions";
import { FilterChips } from "./filter-chips";
import { ORDER_FILTERS } from "./order-filter";
import { useOrderSelection, type OrderSelection } from "./order-selection";
import { OrdersTable } from "./orders-table";
import { useShortcuts } from "./use-shortcuts";

interface Loaded {
  result: Promise<OrderListResult>;
}

export function loader({ request }: LoaderFunctionArgs): Loaded {
  requireAdmin(request);
  return { result: loadOrderList(request, ORDER_FILTERS, listOrders) };
}

export function Component() {
  const { result } = useLoaderData<Loaded>();
  const search = useRef<HTMLDivElement>(null);
  const selection = useOrderSelection();
  useShortcuts({ "/": () => focusAndSelect(search.current?.querySelector("input")) });
  return (
    <Page title="Orders" aside={<BulkActions selection={selection} />}>
      <Deferred
        data={result}
        skeleton={
          <>
            <Filters searchRef={search} errors={{}} />
            <TableSkeleton rows={ORDERS_PER_PAGE} columns={4} lines={2} />
          </>
        }
      >
        {(loaded) => (
          <>
            <Filters searchRef={search} errors={loaded.fields} />
            <FilterChips />
            <ResultCount page={loaded.page} />
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

/** Focuses a field and selects its text. */
function focusAndSelect(field: HTMLInputElement | null | undefined): void {
  field?.focus();
  field?.select();
}

function Filters({ searchRef, errors }: { searchRef: RefObject<HTMLDivElement | null>; errors: FieldErrors }) {
  const [params] = useSearchParams();
  return (
    <FilterForm>
      <div ref={searchRef} className="grow basis-full sm:basis-40">
        <TextField
          label="Search"
          required={false}
          name="q"
          type="search"
          placeholder="Number, email, or name"
          aria-keyshortcuts="/"
          maxLength={254}
          defaultValue={params.get("q") ?? ""}
          error={errors["q"]}
        />
      </div>
      <SelectField
        label="Status"
        required={false}
        className="grow basis-full sm:grow-0 sm:basis-auto"
        name="status"
        defaultValue={params.get("status") ?? ""}
        error={errors["status"]}
      >
        <option value="">All</option>
        {orderStatusFilters().map((status) => (
          <option key={status} value={status}>
            {orderStatusLabel(status)}
          </option>
        ))}
      </SelectField>
      <DateRange errors={errors} />
    </FilterForm>
  );
}

function Orders({ page, selection }: { page: OrderPage; selection: OrderSelection }) {
  if (page.orders.length === 0) return <NoOrders />;
  return (
    <>
      <OrdersTable page={page} selection={selection} />
      <Pagination page={page.page} totalPages={page.totalPages} />
    </>
  );
}
