import type { RequestBody, ResponseBody, Schema } from "../../shared/api-types";
import { authorizedFileRequest, authorizedRequest } from "../../shared/auth-guard";

export type OrderEdit = RequestBody<"/api/admin/order/{id}", "patch">;
export type ProductEdit = RequestBody<"/api/products/{id}", "patch">;
export type Overview = ResponseBody<"/api/admin/overview">;
export type OrderCounts = ResponseBody<"/api/admin/order-counts">;
export type OrderNeighbors = ResponseBody<"/api/admin/order/{id}/neighbors">;
export type StatusPreview = ResponseBody<"/api/admin/order-status/preview">;
type StatusBatch = RequestBody<"/api/admin/order-status", "patch">;
export type NewStatus = StatusBatch["orders"][number];
export type Alert = Schema<"Attention">;

type Order = ResponseBody<"/api/admin/order/{id}">;
type Product = ResponseBody<"/api/products", "post">;

const order = (id: string) => `/api/admin/order/${encodeURIComponent(id)}`;
const product = (id: string) => `/api/products/${encodeURIComponent(id)}`;

export const getOverview = () => authorizedRequest<Overview>("GET", "/api/admin/overview");
export const deleteAlert = (id: string) =>
  authorizedRequest<void>("DELETE", `/api/admin/attention/${encodeURIComponent(id)}`);
export const listOrders = (query: URLSearchParams) =>
  authorizedRequest<ResponseBody<"/api/admin/orders">>("GET", `/api/admin/orders?${query}`);
export const findOrderByNumber = async (number: string) =>
  (await listOrders(new URLSearchParams({ numbers: number }))).orders.at(0);
export const getOrderCounts = () => authorizedRequest<OrderCounts>("GET", "/api/admin/order-counts");
export const findOrderNeighbors = (id: string, filter: URLSearchParams) =>
  authorizedRequest<OrderNeighbors>("GET", `${order(id)}/neighbors?${filter}`);
export const previewOrderStatus = (filter: string, to: string) =>
  authorizedRequest<StatusPreview>("GET", `/api/admin/order-status/preview?${filter}&${new URLSearchParams({ to })}`);
export const updateOrderStatus = (body: StatusBatch) =>
  authorizedRequest<ResponseBody<"/api/admin/order-status", "patch">>("PATCH", "/api/admin/order-status", { body });
export const exportOrders = (query: URLSearchParams) => authorizedFileRequest(`/api/admin/orders.csv?${query}`);
export const getPackingSlips = async (query: URLSearchParams) =>
  (await authorizedFileRequest(`/api/admin/packing-slips?${query}`)).text();
export const findOrder = (id: string) => authorizedRequest<Order>("GET", order(id));
export const updateOrder = (id: string, body: OrderEdit) => authorizedRequest<Order>("PATCH", order(id), { body });
export const listProducts = () => authorizedRequest<ResponseBody<"/api/products">>("GET", "/api/products");
export const addProduct = (body: RequestBody<"/api/products">) =>
  authorizedRequest<Product>("POST", "/api/products", { body });
export const updateProduct = (id: string, body: ProductEdit) =>
  authorizedRequest<Product>("PATCH", product(id), { body });
export const updateStock = (id: string, body: RequestBody<"/api/products/{id}/stock", "patch">) =>
  authorizedRequest<Product>("PATCH", `${product(id)}/stock`, { body });
