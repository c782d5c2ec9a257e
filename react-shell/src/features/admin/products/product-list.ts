import type { ProductPage } from "../shared/api";

const PRODUCTS_PER_PAGE = 25;

/** Query parameters of the products table. */
const PARAMETERS = ["q", "status", "sort", "page"] as const;

/** The request's query for the page that the URL selects. */
export function productQuery(url: string): URLSearchParams {
  const params = new URL(url).searchParams;
  const query = new URLSearchParams({ limit: String(PRODUCTS_PER_PAGE) });
  for (const name of PARAMETERS) {
    const value = params.get(name)?.trim() ?? "";
    if (value !== "") query.set(name, value);
  }
  return query;
}

/** "1–25 of 1,500 products" */
export function describeRange({ products, page, total }: ProductPage): string {
  const noun = total === 1 ? "product" : "products";
  if (products.length === 0 || products.length === total) return `${total.toLocaleString("en-US")} ${noun}`;
  const first = (page - 1) * PRODUCTS_PER_PAGE + 1;
  const range = [first, first + products.length - 1].map((number) => number.toLocaleString("en-US")).join("–");
  return `${range} of ${total.toLocaleString("en-US")} ${noun}`;
}
