import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import { loadList, type ListResult } from "../../shared/order-list";
import { listOrders } from "../../shared/own-orders";
import { paths } from "../../shared/paths";
import { formatDate, type OrderPage } from "../../shared/rules";
import { requireSignedIn } from "../../shared/signed-in";
import { Status } from "../../shared/ui/badge";
import { DateRange } from "../../shared/ui/date-range";
import { FilterForm } from "../../shared/ui/filter-form";
import { ShopLink, TEXT_LINK } from "../../shared/ui/link";
import { Money } from "../../shared/ui/money";
import { Notice } from "../../shared/ui/notice";
import { Pagination } from "../../shared/ui/pagination";
import { CELL, HEAD, TABLE } from "../../shared/ui/table";

export async function loader({ request }: LoaderFunctionArgs): Promise<ListResult> {
  requireSignedIn(request);
  return loadList(request, ["startDate", "endDate"], listOrders);
}

export function Component() {
  const result = useLoaderData<ListResult>();
  return (
    <>
      <FilterForm>
        <DateRange errors={result.fields} />
      </FilterForm>
      {result.page === undefined ? (
        <Notice kind="bad">Failed to fetch orders. Please try again later.</Notice>
      ) : (
        <Orders page={result.page} />
      )}
    </>
  );
}

function Orders({ page }: { page: OrderPage }) {
  if (page.orders.length === 0) return <p className="text-lg">No orders found for the selected criteria.</p>;
  return (
    <>
      <table className={TABLE}>
        <caption className="sr-only">Your orders, newest first</caption>
        <thead className={HEAD}>
          <tr>
            <th scope="col">Order</th>
            <th scope="col" className="max-sm:hidden">
              Date
            </th>
            <th scope="col" className="max-sm:hidden">
              Recipient
            </th>
            <th scope="col">Status</th>
            <th scope="col" className="text-right">
              Total
            </th>
          </tr>
        </thead>
        <tbody>
          {page.orders.map((order) => (
            <tr key={order.id}>
              <td className={CELL}>
                <ShopLink to={paths.order(order.id)} className={TEXT_LINK}>
                  {order.number}
                </ShopLink>
                <span className="block text-sm text-muted sm:hidden">{formatDate(order.order_date)}</span>
              </td>
              <td className={`${CELL} max-sm:hidden`}>{formatDate(order.order_date)}</td>
              <td className={`${CELL} max-sm:hidden`}>{order.name}</td>
              <td className={CELL}>
                <Status status={order.status} />
              </td>
              <td className={`${CELL} text-right`}>
                <Money amount={order.total} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pagination page={page.page} totalPages={page.totalPages} />
    </>
  );
}
