import type { ResponseBody, Schema } from "../../../shared/api-types";
import { authorizedFileRequest, authorizedRequest } from "../../../shared/auth-guard";

export type Payout = Schema<"Payout">;
export type BalanceTransaction = Schema<"BalanceTransaction">;
export type PayoutPage = ResponseBody<"/api/admin/payouts">;
export type PayoutDetails = ResponseBody<"/api/admin/payouts/{id}">;

const payout = (id: string) => `/api/admin/payouts/${encodeURIComponent(id)}`;
const pageQuery = (page: string, limit: number) => new URLSearchParams({ page, limit: String(limit) });

export const listPayouts = (page: string) =>
  authorizedRequest<PayoutPage>("GET", `/api/admin/payouts?${pageQuery(page, 25)}`);
export const findPayout = (id: string, page: string) =>
  authorizedRequest<PayoutDetails>("GET", `${payout(id)}?${pageQuery(page, 50)}`);
export const exportPayout = (id: string) => authorizedFileRequest(`${payout(id)}/transactions.csv`);
export const exportJournal = (from: string, to: string) =>
  authorizedFileRequest(`/api/admin/journal?${new URLSearchParams({ from, to })}`);
