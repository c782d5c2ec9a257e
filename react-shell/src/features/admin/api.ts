import type { Answer, Body, Schema } from "../../shared/api-types";
import { requestFileSignedIn, requestSignedIn } from "../../shared/signed-in";

export type OrderEdit = Body<"/api/admin/order/{id}", "patch">;
export type ProductEdit = Body<"/api/products/{id}", "patch">;
export type Overview = Answer<"/api/admin/overview">;
export type Attention = Schema<"Attention">;

type Order = Answer<"/api/admin/order/{id}">;
type Product = Answer<"/api/products", "post">;

const order = (id: string) => `/api/admin/order/${encodeURIComponent(id)}`;
const product = (id: string) => `/api/products/${encodeURIComponent(id)}`;

export const getOverview = () => requestSignedIn<Overview>("GET", "/api/admin/overview");
export const settleAttention = (id: string) =>
  requestSignedIn<void>("DELETE", `/api/admin/attention/${encodeURIComponent(id)}`);
export const listOrders = (query: URLSearchParams) =>
  requestSignedIn<Answer<"/api/admin/orders">>("GET", `/api/admin/orders?${query}`);
export const exportOrders = (query: URLSearchParams) => requestFileSignedIn(`/api/admin/orders.csv?${query}`);
export const findOrder = (id: string) => requestSignedIn<Order>("GET", order(id));
export const updateOrder = (id: string, body: OrderEdit) => requestSignedIn<Order>("PATCH", order(id), { body });
export const listProducts = () => requestSignedIn<Answer<"/api/products">>("GET", "/api/products");
export const addProduct = (body: Body<"/api/products">) => requestSignedIn<Product>("POST", "/api/products", { body });
export const updateProduct = (id: string, body: ProductEdit) =>
  requestSignedIn<Product>("PATCH", product(id), { body });
export const updateStock = (id: string, body: Body<"/api/products/{id}/stock", "patch">) =>
  requestSignedIn<Product>("PATCH", `${product(id)}/stock`, { body });
