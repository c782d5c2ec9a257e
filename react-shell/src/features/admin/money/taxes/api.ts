import type { ResponseBody } from "../../../../shared/api-types";
import { authorizedFileRequest, authorizedRequest } from "../../../../shared/auth-guard";

export type TaxReport = ResponseBody<"/api/admin/tax-report">;
export type TaxReportRow = TaxReport["rows"][number];

export const getTaxReport = (query: URLSearchParams) =>
  authorizedRequest<TaxReport>("GET", `/api/admin/tax-report?${query}`);
export const exportTaxReport = (query: URLSearchParams) => authorizedFileRequest(`/api/admin/tax-report.csv?${query}`);
