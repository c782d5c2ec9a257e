import { request } from "../../shared/api-client";
import type { RequestBody, ResponseBody } from "../../shared/api-types";

type Message = ResponseBody<"/api/auth/signup", "post">;

export const signUp = (body: RequestBody<"/api/auth/signup">) => request<Message>("POST", "/api/auth/signup", { body });
export const logIn = (body: RequestBody<"/api/auth/login">) =>
  request<ResponseBody<"/api/auth/login", "post">>("POST", "/api/auth/login", { body });
export const confirmEmail = (body: RequestBody<"/api/auth/confirm-email">) =>
  request<Message>("POST", "/api/auth/confirm-email", { body });
export const resendCode = (body: RequestBody<"/api/auth/resend-code">) =>
  request<Message>("POST", "/api/auth/resend-code", { body });
export const forgotPassword = (body: RequestBody<"/api/auth/forgot-password">) =>
  request<Message>("POST", "/api/auth/forgot-password", { body });
export const confirmForgotPassword = (body: RequestBody<"/api/auth/confirm-forgot-password">) =>
  request<Message>("POST", "/api/auth/confirm-forgot-password", { body });
