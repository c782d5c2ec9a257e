import type { ResponseBody, Schema } from "../../../shared/api-types";
import { authorizedRequest } from "../../../shared/auth-guard";

export type Overview = ResponseBody<"/api/admin/overview">;
export type Alert = Schema<"Alert">;
export type ProductPage = ResponseBody<"/api/admin/products">;
export const resolveAlert = (id: string) =>
  authorizedRequest<void>("POST", `/api/admin/alerts/${encodeURIComponent(id)}/resolve`);
export const listOrders = (query: URLSearchParams) =>
  authorizedRequest<ResponseBody<"/api/admin/orders">>("GET", `/api/admin/orders?${query}`);
export const listAllProducts = (query: URLSearchParams) =>
  authorizedRequest<ProductPage>("GET", `/api/admin/products?${query}`);
