import { authorizedRequest } from "../../../shared/auth-guard";
import { type Overview } from "../shared/api";

export const getOverview = () => authorizedRequest<Overview>("GET", "/api/admin/overview");
