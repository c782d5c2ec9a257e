import { request } from "../../shared/api-client";
import type { Answer, Body } from "../../shared/api-types";

type Message = Answer<"/api/auth/signup", "post">;

export const signUp = (body: Body<"/api/auth/signup">) => request<Message>("POST", "/api/auth/signup", { body });
export const logIn = (body: Body<"/api/auth/login">) =>
  request<Answer<"/api/auth/login", "post">>("POST", "/api/auth/login", { body });
export const confirmEmail = (body: Body<"/api/auth/confirm-email">) =>
  request<Message>("POST", "/api/auth/confirm-email", { body });
export const resendCode = (body: Body<"/api/auth/resend-code">) =>
  request<Message>("POST", "/api/auth/resend-code", { body });
export const forgotPassword = (body: Body<"/api/auth/forgot-password">) =>
  request<Message>("POST", "/api/auth/forgot-password", { body });
export const confirmForgotPassword = (body: Body<"/api/auth/confirm-forgot-password">) =>
  request<Message>("POST", "/api/auth/confirm-forgot-password", { body });
