import type { Address, Order, OrderPage, OrderStatus, Product, ProductInput } from "../../shared/rules";
import { requestSignedIn } from "../../shared/signed-in";

export interface OrderEdit {
  status: OrderStatus;
  address: Address;
  tracking_number: string;
  restock: boolean;
  version: number | undefined;
}

interface StockEdit {
  stock: number;
  /** The count that was on the screen: the server adds the difference, so a sale in between is not undone. */
  was: number;
}

export const listOrders = (query: URLSearchParams) => requestSignedIn<OrderPage>("GET", `/api/admin/orders?${query}`);
export const findOrder = (id: string) => requestSignedIn<Order>("GET", `/api/admin/order/${encodeURIComponent(id)}`);
export const updateOrder = (id: string, body: OrderEdit) =>
  requestSignedIn<Order>("PATCH", `/api/admin/order/${encodeURIComponent(id)}`, { body });
export const listProducts = () => requestSignedIn<Product[]>("GET", "/api/products");
export const addProduct = (body: ProductInput) => requestSignedIn<Product>("POST", "/api/products", { body });
export const updateStock = (id: string, body: StockEdit) =>
  requestSignedIn<Product>("PATCH", `/api/products/${encodeURIComponent(id)}/stock`, { body });
