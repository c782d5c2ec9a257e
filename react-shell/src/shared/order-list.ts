import { serverFieldErrors } from "./api-client";
import type { OrderPage } from "./rules";
import type { FieldErrors } from "./use-field-errors";

export const ORDERS_PER_PAGE = 10;

/** A page of orders, or the errors of the filter's fields. Neither means that the request failed. */
export interface OrderListResult<Page extends OrderPage = OrderPage> {
  page?: Page;
  fields: FieldErrors;
}

/** Whether a filter field is invalid; its error is shown there, and a retry would not help. */
export function hasInvalidFilter({ fields }: OrderListResult): boolean {
  return Object.keys(fields).length > 0;
}

/** Loads the page of orders that the URL's query selects. The filter stays usable when the request fails. */
export async function loadOrderList<Page extends OrderPage>(
  request: Request,
  filters: readonly string[],
  list: (query: URLSearchParams) => Promise<Page>,
  limit = ORDERS_PER_PAGE,
): Promise<OrderListResult<Page>> {
  const params = new URL(request.url).searchParams;
  const query = new URLSearchParams({ page: params.get("page") || "1", limit: String(limit) });
  for (const name of filters) {
    const value = params.get(name);
    if (value !== null && value !== "") query.set(name, value);
  }
  try {
    return { page: await list(query), fields: {} };
  } catch (error) {
    const errors = Object.entries(serverFieldErrors(error));
    return { fields: Object.fromEntries(errors.filter(([name]) => filters.includes(name))) };
  }
}
