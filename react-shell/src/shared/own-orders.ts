import type { Answer } from "./api-types";
import { requestSignedIn } from "./signed-in";

export const findOrder = (id: string) =>
  requestSignedIn<Answer<"/api/orders/{id}">>("GET", `/api/orders/${encodeURIComponent(id)}`);
export const listOrders = (query: URLSearchParams) =>
  requestSignedIn<Answer<"/api/user/orders">>("GET", `/api/user/orders?${query}`);
