import { useLoaderData, useSearchParams, type LoaderFunctionArgs } from "react-router";
import { loadList, type ListResult } from "../../shared/order-list";
import { paths } from "../../shared/paths";
import {
  formatDate,
  orderStatusFilters,
  orderStatusLabel,
  type OrderListItem,
  type OrderPage,
} from "../../shared/rules";
import { requireAdmin } from "../../shared/signed-in";
import { Status } from "../../shared/ui/badge";
import { DateRange } from "../../shared/ui/date-range";
import { SelectField, TextField } from "../../shared/ui/field";
import { FilterForm } from "../../shared/ui/filter-form";
import { ShopLink, TEXT_LINK } from "../../shared/ui/link";
import { Money } from "../../shared/ui/money";
import { Notice } from "../../shared/ui/notice";
import { Page } from "../../shared/ui/page";
import { Pagination } from "../../shared/ui/pagination";
import { CELL, HEAD, TABLE } from "../../shared/ui/table";
import { listOrders } from "./api";

export async function loader({ request }: LoaderFunctionArgs): Promise<ListResult> {
  requireAdmin(request);
  return loadList(request, ["startDate", "endDate", "status", "q"], listOrders);
}

export function Component() {
  const result = useLoaderData<ListResult>();
  return (
    <Page title="Orders">
      <FilterForm>
        <DateRange errors={result.fields} />
        <StatusFilter />
        <Search />
      </FilterForm>
      {result.page === undefined ? (
        <Notice kind="bad">Failed to fetch orders. Please try again later.</Notice>
      ) : (
        <Orders page={result.page} />
      )}
    </Page>
  );
}

function StatusFilter() {
  const [params] = useSearchParams();
  return (
    <SelectField
      label="Status"
      required={false}
      className="grow sm:grow-0"
      name="status"
      defaultValue={params.get("status") ?? ""}
    >
      <option value="">All</option>
      {orderStatusFilters().map((status) => (
        <option key={status} value={status}>
          {orderStatusLabel(status)}
        </option>
      ))}
    </SelectField>
  );
}

function Search() {
  const [params] = useSearchParams();
  return (
    <TextField
      label="Search"
      required={false}
      className="grow sm:grow-0"
      name="q"
      type="search"
      placeholder="Number, email or name"
      defaultValue={params.get("q") ?? ""}
    />
  );
}

function Orders({ page }: { page: OrderPage }) {
  if (page.orders.length === 0) return <p className="text-lg">No orders found for the selected criteria.</p>;
  return (
    <>
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
        <tbody>
          {page.orders.map((order) => (
            <OrderRow key={order.id} order={order} />
          ))}
        </tbody>
      </table>
      <Pagination page={page.page} totalPages={page.totalPages} />
    </>
  );
}

function OrderRow({ order }: { order: OrderListItem }) {
  return (
    <tr>
      <td className={CELL}>
        <ShopLink to={paths.adminOrder(order.id)} className={TEXT_LINK}>
          {order.number}
        </ShopLink>
      </td>
      <td className={`${CELL} max-sm:hidden`}>{formatDate(order.order_date)}</td>
      <td className={`${CELL} w-full max-w-0`}>
        <span className="block truncate">{order.name}</span>
        <span className="block truncate text-sm text-muted">{order.user_email}</span>
      </td>
      <td className={CELL}>
        <Status status={order.status} />
        <span className="mt-1 block text-right sm:hidden">
          <Money amount={order.total} />
        </span>
        {order.needs_attention && <span className="block text-sm font-medium text-bad">Needs attention</span>}
      </td>
      <td className={`${CELL} text-right max-sm:hidden`}>
        <Money amount={order.total} />
      </td>
    </tr>
  );
}
