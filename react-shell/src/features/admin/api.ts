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
export type ProductPage = ResponseBody<"/api/admin/products">;
export type StockLedger = ResponseBody<"/api/admin/products/{id}/stock">;
export type StockMovement = Schema<"StockMovement">;
export type Customer = Schema<"Customer">;
export type CustomerPage = ResponseBody<"/api/admin/customers">;
export type CustomerOrders = ResponseBody<"/api/admin/customers/{id}/orders">;
export type CustomerEmail = Schema<"CustomerEmail">;
export type EmailPage = ResponseBody<"/api/admin/customers/{id}/emails">;
export type ResendKind = Schema<"ResendKind">;

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
  (await authorizedFileRequest(`/api/admin/packing-slips?${query}`)).content.text();
export const findOrder = (id: string) => authorizedRequest<Order>("GET", order(id));
export const addOrderNote = (id: string, body: RequestBody<"/api/admin/order/{id}/notes">) =>
  authorizedRequest<Order>("POST", `${order(id)}/notes`, { body });
export const updateOrder = (id: string, body: OrderEdit) => authorizedRequest<Order>("PATCH", order(id), { body });
export const listProducts = () => authorizedRequest<ResponseBody<"/api/products">>("GET", "/api/products");
export const listAllProducts = (query: URLSearchParams) =>
  authorizedRequest<ProductPage>("GET", `/api/admin/products?${query}`);
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

const customer = (id: string) => `/api/admin/customers/${encodeURIComponent(id)}`;

export const listCustomers = (query: URLSearchParams) =>
  authorizedRequest<CustomerPage>("GET", `/api/admin/customers?${query}`);
export const getCustomer = (id: string) => authorizedRequest<Customer>("GET", customer(id));
export const listCustomerOrders = (id: string, query: URLSearchParams) =>
  authorizedRequest<CustomerOrders>("GET", `${customer(id)}/orders?${query}`);
export const listCustomerEmails = (id: string, query: URLSearchParams) =>
  authorizedRequest<EmailPage>("GET", `${customer(id)}/emails?${query}`);
export const resendOrderEmail = (orderId: string, kind: ResendKind) =>
  authorizedRequest<Order>("POST", `${order(orderId)}/emails`, { body: { kind } });
