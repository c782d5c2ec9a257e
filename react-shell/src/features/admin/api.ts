import type { Answer, Body } from "../../shared/api-types";
import { requestSignedIn } from "../../shared/signed-in";

export type OrderEdit = Body<"/api/admin/order/{id}", "patch">;

type Order = Answer<"/api/admin/order/{id}">;
type Product = Answer<"/api/products", "post">;

export const listOrders = (query: URLSearchParams) =>
  requestSignedIn<Answer<"/api/admin/orders">>("GET", `/api/admin/orders?${query}`);
export const findOrder = (id: string) => requestSignedIn<Order>("GET", `/api/admin/order/${encodeURIComponent(id)}`);
export const updateOrder = (id: string, body: OrderEdit) =>
  requestSignedIn<Order>("PATCH", `/api/admin/order/${encodeURIComponent(id)}`, { body });
export const listProducts = () => requestSignedIn<Answer<"/api/products">>("GET", "/api/products");
export const addProduct = (body: Body<"/api/products">) => requestSignedIn<Product>("POST", "/api/products", { body });
export const updateStock = (id: string, body: Body<"/api/products/{name}/stock", "patch">) =>
  requestSignedIn<Product>("PATCH", `/api/products/${encodeURIComponent(id)}/stock`, { body });
