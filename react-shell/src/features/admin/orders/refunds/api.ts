import type { RequestBody, ResponseBody, Schema } from "../../../../shared/api-types";
import { authorizedRequest } from "../../../../shared/auth-guard";

export type OrderRefunds = ResponseBody<"/api/admin/order/{id}/refunds">;
export type Refund = Schema<"Refund">;
export type RefundParts = Schema<"RefundParts">;
export type RefundableParts = Schema<"RefundableParts">;
export type RefundBlock = Schema<"RefundBlock">;
export type RefundRequest = RequestBody<"/api/admin/order/{id}/refunds">;

export type Settlement = RequestBody<"/api/admin/refunds/{id}/settle">;

const refunds = (orderId: string) => `/api/admin/order/${encodeURIComponent(orderId)}/refunds`;

export const listRefunds = (orderId: string) => authorizedRequest<OrderRefunds>("GET", refunds(orderId));
export const createRefund = (orderId: string, body: RefundRequest) =>
  authorizedRequest<Refund>("POST", refunds(orderId), { body });
export const previewRefund = (orderId: string, body: RefundRequest, signal: AbortSignal) =>
  authorizedRequest<RefundParts>("POST", `${refunds(orderId)}/preview`, { body, signal });
export const settleRefund = (refundId: string, body: Settlement) =>
  authorizedRequest<Refund>("POST", `/api/admin/refunds/${encodeURIComponent(refundId)}/settle`, { body });
