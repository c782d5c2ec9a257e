import { useRef } from "react";
import { useLoaderData, useLocation, useSearchParams, type LoaderFunctionArgs } from "react-router";
import { requireAdmin } from "../../../shared/auth-guard";
import { deferred } from "../../../shared/deferred";
import { buttonClass } from "../../../shared/ui/button-class";
import { formatDate } from "../../../shared/rules";
import { Deferred } from "../../../shared/ui/deferred";
import { EmptyState } from "../../../shared/ui/empty-state";
import { TextField } from "../../../shared/ui/field";
import { FilterForm } from "../../../shared/ui/filter-form";
import { ShopLink } from "../../../shared/ui/link";
import { Money } from "../../../shared/ui/money";
import { Page } from "../../../shared/ui/page";
import { Pagination } from "../../../shared/ui/pagination";
import { RouteError } from "../../../shared/ui/route-error";
import { TableSkeleton } from "../../../shared/ui/skeleton";
import { Table, type Column } from "../../../shared/ui/table";
import { listCustomers, type Customer, type CustomerPage } from "./api";
import { EmailText } from "./email-text";
import { useShortcuts } from "../shared/use-shortcuts";
import { customerPaths } from "./paths";

const CUSTOMERS_PER_PAGE = 25;

interface Loaded {
  customers: Promise<CustomerPage>;
}

export function loader({ request }: LoaderFunctionArgs): Loaded {
  requireAdmin(request);
  const params = new URL(request.url).searchParams;
  const query = new URLSearchParams({ page: params.get("page") || "1", limit: String(CUSTOMERS_PER_PAGE) });
  const search = params.get("q")?.trim() ?? "";
  if (search !== "") query.set("q", search);
  return { customers: deferred(listCustomers(query)) };
}

export function Component() {
  const { customers } = useLoaderData<Loaded>();
  return (
    <Page title="Customers">
      <Search />
      <Deferred
        data={customers}
        skeleton={<TableSkeleton rows={10} columns={4} lines={2} />}
        failure={<RouteError message="Failed to fetch customers. Please try again later." />}
      >
        {(page) => <Customers page={page} />}
      </Deferred>
    </Page>
  );
}

function Search() {
  const [params] = useSearchParams();
  const search = useRef<HTMLDivElement>(null);
  useShortcuts({
    "/": () => {
      search.current?.querySelector("input")?.select();
    },
  });
  return (
    <FilterForm>
      <div ref={search} className="grow basis-full sm:basis-40">
        <TextField
          label="Search"
          required={false}
          name="q"
          type="search"
          placeholder="Email, name, or order"
          aria-keyshortcuts="/"
          maxLength={254}
          defaultValue={params.get("q") ?? ""}
        />
      </div>
    </FilterForm>
  );
}

const COLUMNS: Column<Customer>[] = [
  {
    title: "Customer",
    className: "w-full max-w-0",
    cell: (customer) => (
      <>
        <ShopLink to={customerPaths.customer(customer.id)} className="text-link">
          <EmailText email={customer.email} />
        </ShopLink>
        <span className="block truncate text-sm font-normal text-muted">{customer.name ?? "No orders yet"}</span>
      </>
    ),
  },
  {
    title: "Since",
    className: "tabular-nums max-md:hidden",
    cell: (customer) => formatDate(customer.created_at_local),
  },
  {
    title: "Last order",
    className: "whitespace-nowrap tabular-nums max-sm:hidden",
    cell: ({ last_order_at_local: day }) => day !== undefined && formatDate(day),
  },
  {
    title: "Orders",
    className: "text-right tabular-nums",
    cell: ({ orders }) => orders.toLocaleString("en-US"),
  },
  { title: "Spent", className: "text-right", cell: ({ spent }) => <Money amount={spent} /> },
];

function Customers({ page }: { page: CustomerPage }) {
  return (
    <>
      <p role="status" className="mb-3 text-sm text-muted tabular-nums">
        {describe(page)}
      </p>
      {page.customers.length === 0 ? (
        <NoCustomers />
      ) : (
        <>
          <Table caption="Customers" columns={COLUMNS} rows={page.customers} rowClassName="hover:bg-line/30" />
          <Pagination page={page.page} totalPages={page.totalPages} />
        </>
      )}
    </>
  );
}

function describe({ total, page, totalPages }: CustomerPage): string {
  const count = `${total.toLocaleString("en-US")} ${total === 1 ? "customer" : "customers"}`;
  return totalPages > 1 ? `${count}, page ${page} of ${totalPages.toLocaleString("en-US")}` : count;
}

function NoCustomers() {
  const { pathname } = useLocation();
  return (
    <EmptyState
      title={<p className="text-xl font-semibold">No customers found.</p>}
      action={
        <ShopLink to={pathname} className={buttonClass("primary")}>
          Show All Customers
        </ShopLink>
      }
    />
  );
}
