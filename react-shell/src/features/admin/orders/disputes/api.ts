import type { ResponseBody, Schema } from "../../../../shared/api-types";
import { authorizedFileRequest, authorizedRequest } from "../../../../shared/auth-guard";

export type OrderDisputes = ResponseBody<"/api/admin/order/{id}/disputes">;
export type Dispute = Schema<"Dispute">;
export type FraudWarning = Schema<"FraudWarning">;

const order = (id: string) => `/api/admin/order/${encodeURIComponent(id)}`;

export const listDisputes = (orderId: string) => authorizedRequest<OrderDisputes>("GET", `${order(orderId)}/disputes`);
export const getEvidence = (orderId: string) => authorizedFileRequest(`${order(orderId)}/evidence`);
