import type { ResponseBody } from "./api-types";
import { authorizedRequest } from "./auth-guard";

export const findOrder = (id: string) =>
  authorizedRequest<ResponseBody<"/api/orders/{id}">>("GET", `/api/orders/${encodeURIComponent(id)}`);
export const listOrders = (query: URLSearchParams) =>
  authorizedRequest<ResponseBody<"/api/user/orders">>("GET", `/api/user/orders?${query}`);
