import type { ResponseBody } from "../../../shared/api-types";
import { authorizedRequest } from "../../../shared/auth-guard";

export type HealthReport = ResponseBody<"/api/admin/health">;
export const getHealth = () => authorizedRequest<HealthReport>("GET", "/api/admin/health");
