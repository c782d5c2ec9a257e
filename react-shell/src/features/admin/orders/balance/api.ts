import type { ResponseBody } from "../../../../shared/api-types";
import { authorizedRequest } from "../../../../shared/auth-guard";

export type OrderBalance = ResponseBody<"/api/admin/order/{id}/balance">;

export const findOrderBalance = (id: string) =>
  authorizedRequest<OrderBalance>("GET", `/api/admin/order/${encodeURIComponent(id)}/balance`);
