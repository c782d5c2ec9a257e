import { request } from "../../shared/api-client";
import type { RequestBody, ResponseBody, Schema } from "../../shared/api-types";

type Message = ResponseBody<"/api/auth/resend-code", "post">;

export const signUp = (body: RequestBody<"/api/auth/signup">) =>
  request<ResponseBody<"/api/auth/signup", "post">>("POST", "/api/auth/signup", { body });
export const requestLoginCode = (body: RequestBody<"/api/auth/login-code">) =>
  request<ResponseBody<"/api/auth/login-code", "post">>("POST", "/api/auth/login-code", { body });
export const logInWithCode = (body: RequestBody<"/api/auth/login-with-code">) =>
  request<ResponseBody<"/api/auth/login-with-code", "post">>("POST", "/api/auth/login-with-code", { body });
export const logIn = (body: RequestBody<"/api/auth/login">) =>
  request<ResponseBody<"/api/auth/login", "post">>("POST", "/api/auth/login", { body });
export const startPasskeyLogin = (signal: AbortSignal) =>
  request<Schema<"PasskeyCeremony">>("POST", "/api/auth/passkey-login", { signal });
export const logInWithPasskey = (body: RequestBody<"/api/auth/login-with-passkey">) =>
  request<ResponseBody<"/api/auth/login-with-passkey", "post">>("POST", "/api/auth/login-with-passkey", { body });
export const confirmEmail = (body: RequestBody<"/api/auth/confirm-email">) =>
  request<ResponseBody<"/api/auth/confirm-email", "post">>("POST", "/api/auth/confirm-email", { body });
export const resendCode = (body: RequestBody<"/api/auth/resend-code">) =>
  request<Message>("POST", "/api/auth/resend-code", { body });
export const setUpSecondFactor = (body: RequestBody<"/api/auth/second-factor">) =>
  request<ResponseBody<"/api/auth/second-factor", "post">>("POST", "/api/auth/second-factor", { body });
export const confirmSecondFactor = (body: RequestBody<"/api/auth/second-factor/confirm">) =>
  request<ResponseBody<"/api/auth/second-factor/confirm", "post">>("POST", "/api/auth/second-factor/confirm", { body });
export const forgotPassword = (body: RequestBody<"/api/auth/forgot-password">) =>
  request<Message>("POST", "/api/auth/forgot-password", { body });
export const confirmForgotPassword = (body: RequestBody<"/api/auth/confirm-forgot-password">) =>
  request<Message>("POST", "/api/auth/confirm-forgot-password", { body });
export const undoEmailChange = (body: RequestBody<"/api/auth/undo-email-change">) =>
  request<ResponseBody<"/api/auth/undo-email-change", "post">>("POST", "/api/auth/undo-email-change", { body });
