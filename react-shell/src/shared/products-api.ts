import { request } from "./api-client";
import type { Product } from "./rules";

/** The listed products with these ids. */
export function listProducts(ids: string[]): Promise<Product[]> {
  return request<Product[]>("GET", `/api/products?ids=${ids.map(encodeURIComponent).join(",")}`);
}
