import type { RequestBody, ResponseBody, Schema } from "../../../shared/api-types";
import { authorizedRequest } from "../../../shared/auth-guard";

export type ProductEdit = RequestBody<"/api/products/{id}", "patch">;
export type StockLedger = ResponseBody<"/api/admin/products/{id}/stock">;
export type StockMovement = Schema<"StockMovement">;
type Product = ResponseBody<"/api/products", "post">;
const product = (id: string) => `/api/products/${encodeURIComponent(id)}`;
export const duplicateProduct = (id: string) => authorizedRequest<Product>("POST", `${product(id)}/duplicate`);
export const addProduct = (body: RequestBody<"/api/products">) =>
  authorizedRequest<Product>("POST", "/api/products", { body });
export const updateProduct = (id: string, body: ProductEdit) =>
  authorizedRequest<Product>("PATCH", product(id), { body });
export const updateStock = (id: string, body: RequestBody<"/api/products/{id}/stock", "patch">) =>
  authorizedRequest<Product>("PATCH", `${product(id)}/stock`, { body });
const stock = (id: string) => `/api/admin/products/${encodeURIComponent(id)}/stock`;
export const getStockLedger = (id: string, query: URLSearchParams) =>
  authorizedRequest<StockLedger>("GET", `${stock(id)}?${query}`);
export const receiveStock = (id: string, body: RequestBody<"/api/admin/products/{id}/stock/receive">) =>
  authorizedRequest<Product>("POST", `${stock(id)}/receive`, { body });
export const correctStock = (id: string, body: RequestBody<"/api/admin/products/{id}/stock/correct">) =>
  authorizedRequest<Product>("POST", `${stock(id)}/correct`, { body });
export const setLowStockThreshold = (id: string, threshold: number | null) =>
  authorizedRequest<Schema<"LowStockThreshold">>(
    "PATCH",
    `/api/admin/products/${encodeURIComponent(id)}/low-stock-threshold`,
    { body: { threshold } },
  );
