import type { ResponseBody, Schema } from "../../../shared/api-types";
import { authorizedRequest } from "../../../shared/auth-guard";

export type Customer = Schema<"Customer">;
export type CustomerPage = ResponseBody<"/api/admin/customers">;
export type CustomerOrders = ResponseBody<"/api/admin/customers/{id}/orders">;
export type CustomerEmail = Schema<"CustomerEmail">;
export type EmailPage = ResponseBody<"/api/admin/customers/{id}/emails">;
export type ResendKind = Schema<"ResendKind">;
type AdminOrder = Schema<"AdminOrder">;
const order = (id: string) => `/api/admin/order/${encodeURIComponent(id)}`;
const customer = (id: string) => `/api/admin/customers/${encodeURIComponent(id)}`;
export const listCustomers = (query: URLSearchParams) =>
  authorizedRequest<CustomerPage>("GET", `/api/admin/customers?${query}`);
export const getCustomer = (id: string) => authorizedRequest<Customer>("GET", customer(id));
export const listCustomerOrders = (id: string, query: URLSearchParams) =>
  authorizedRequest<CustomerOrders>("GET", `${customer(id)}/orders?${query}`);
export const listCustomerEmails = (id: string, query: URLSearchParams) =>
  authorizedRequest<EmailPage>("GET", `${customer(id)}/emails?${query}`);
export const resendOrderEmail = (orderId: string, kind: ResendKind) =>
  authorizedRequest<AdminOrder>("POST", `${order(orderId)}/emails`, { body: { kind } });
