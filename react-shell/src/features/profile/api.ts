import type { RequestBody, ResponseBody, Schema } from "../../shared/api-types";
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
export const listPasskeys = () => authorizedRequest<ResponseBody<"/api/auth/passkeys">>("GET", "/api/auth/passkeys");
export const startPasskey = (body: RequestBody<"/api/auth/passkeys/start">) =>
  authorizedRequest<Schema<"PasskeyCeremony">>("POST", "/api/auth/passkeys/start", { body });
export const addPasskey = (body: RequestBody<"/api/auth/passkeys">) =>
  authorizedRequest<Schema<"Passkey">>("POST", "/api/auth/passkeys", { body });
export const renamePasskey = (id: string, body: { name: string }) =>
  authorizedRequest<Schema<"Passkey">>("PATCH", `/api/auth/passkeys/${encodeURIComponent(id)}`, { body });
export const removePasskey = (id: string) =>
  authorizedRequest<undefined>("DELETE", `/api/auth/passkeys/${encodeURIComponent(id)}`);
export const replaceRecoveryCodes = (body: RequestBody<"/api/auth/recovery-codes">) =>
  authorizedRequest<Schema<"RecoveryCodes">>("POST", "/api/auth/recovery-codes", { body });
export const requestEmailChange = (body: RequestBody<"/api/auth/email-change">) =>
  authorizedRequest<undefined>("POST", "/api/auth/email-change", { body });
export const confirmEmailChange = (body: RequestBody<"/api/auth/confirm-email-change">) =>
  authorizedRequest<undefined>("POST", "/api/auth/confirm-email-change", { body });
