import { serverFields } from "./api-client";
import type { OrderPage } from "./rules";
import type { FieldErrors } from "./use-field-errors";

export const ORDERS_A_PAGE = 10;

/** A page of orders, or what was wrong with the filter; without either, the list could not be had. */
export interface ListResult {
  page?: OrderPage;
  fields: FieldErrors;
}

/** Asks for the page that stands in the address. The filter stays usable when the answer is no. */
export async function loadList(
  request: Request,
  filters: readonly string[],
  list: (query: URLSearchParams) => Promise<OrderPage>,
): Promise<ListResult> {
  const asked = new URL(request.url).searchParams;
  const query = new URLSearchParams({ page: asked.get("page") || "1", limit: String(ORDERS_A_PAGE) });
  for (const name of filters) {
    const value = asked.get(name);
    if (value !== null && value !== "") query.set(name, value);
  }
  try {
    return { page: await list(query), fields: {} };
  } catch (error) {
    return { fields: serverFields(error) };
  }
}
