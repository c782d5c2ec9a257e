import type { RequestBody, ResponseBody } from "../../shared/api-types";
import { authorizedRequest } from "../../shared/auth-guard";

export const findUser = () => authorizedRequest<ResponseBody<"/api/auth/user">>("GET", "/api/auth/user");
export const changePassword = (body: RequestBody<"/api/change-password">) =>
  authorizedRequest<ResponseBody<"/api/change-password", "post">>("POST", "/api/change-password", { body });
export const requestPasswordCode = (body: RequestBody<"/api/auth/forgot-password">) =>
  authorizedRequest<undefined>("POST", "/api/auth/forgot-password", { body });
/** With the access token, so that this session goes on. */
export const setPassword = (body: RequestBody<"/api/auth/confirm-forgot-password">) =>
  authorizedRequest<undefined>("POST", "/api/auth/confirm-forgot-password", { body });
export const listSessions = () => authorizedRequest<ResponseBody<"/api/auth/sessions">>("GET", "/api/auth/sessions");
export const endSession = (id: string) =>
  authorizedRequest<undefined>("DELETE", `/api/auth/sessions/${encodeURIComponent(id)}`);
