import type { ResponseBody, Schema } from "../../../shared/api-types";
import { authorizedRequest } from "../../../shared/auth-guard";

export type Overview = ResponseBody<"/api/admin/overview">;
export type Alert = Schema<"Attention">;
export type ProductPage = ResponseBody<"/api/admin/products">;
export const deleteAlert = (id: string) =>
  authorizedRequest<void>("DELETE", `/api/admin/attention/${encodeURIComponent(id)}`);
export const listOrders = (query: URLSearchParams) =>
  authorizedRequest<ResponseBody<"/api/admin/orders">>("GET", `/api/admin/orders?${query}`);
export const listAllProducts = (query: URLSearchParams) =>
  authorizedRequest<ProductPage>("GET", `/api/admin/products?${query}`);
