import type { RequestBody, ResponseBody, Schema } from "../../../shared/api-types";
import { authorizedFileRequest, authorizedRequest } from "../../../shared/auth-guard";

export type AdminOrder = Schema<"AdminOrder">;
export type AdminOrderListItem = Schema<"AdminOrderListItem">;
export type AdminOrderPage = Schema<"AdminOrderPage">;
export type HoldReason = Schema<"HoldReason">;
export type OrderEdit = RequestBody<"/api/admin/order/{id}", "patch">;
export type OrderCounts = ResponseBody<"/api/admin/order-counts">;
export type OrderNeighbors = ResponseBody<"/api/admin/order/{id}/neighbors">;
export type StatusPreview = ResponseBody<"/api/admin/order-status/preview">;
type StatusBatch = RequestBody<"/api/admin/order-status", "patch">;
export type NewStatus = StatusBatch["orders"][number];
const order = (id: string) => `/api/admin/order/${encodeURIComponent(id)}`;
export const getOrderCounts = () => authorizedRequest<OrderCounts>("GET", "/api/admin/order-counts");
export const findOrderNeighbors = (id: string, filter: URLSearchParams) =>
  authorizedRequest<OrderNeighbors>("GET", `${order(id)}/neighbors?${filter}`);
export const previewOrderStatus = (filter: string, to: string) =>
  authorizedRequest<StatusPreview>("GET", `/api/admin/order-status/preview?${filter}&${new URLSearchParams({ to })}`);
export const updateOrderStatus = (body: StatusBatch) =>
  authorizedRequest<ResponseBody<"/api/admin/order-status", "patch">>("PATCH", "/api/admin/order-status", { body });
export const exportOrders = (query: URLSearchParams) => authorizedFileRequest(`/api/admin/orders.csv?${query}`);
export const getPackingSlips = async (query: URLSearchParams) =>
  (await authorizedFileRequest(`/api/admin/packing-slips?${query}`)).content.text();
export const findOrder = (id: string) => authorizedRequest<AdminOrder>("GET", order(id));
export const addOrderNote = (id: string, body: RequestBody<"/api/admin/order/{id}/notes">) =>
  authorizedRequest<AdminOrder>("POST", `${order(id)}/notes`, { body });
export const shipAnyway = (id: string, body: RequestBody<"/api/admin/order/{id}/ship-anyway">) =>
  authorizedRequest<AdminOrder>("POST", `${order(id)}/ship-anyway`, { body });
export const updateOrder = (id: string, body: OrderEdit) => authorizedRequest<AdminOrder>("PATCH", order(id), { body });
export const listProducts = () => authorizedRequest<ResponseBody<"/api/products">>("GET", "/api/products");
