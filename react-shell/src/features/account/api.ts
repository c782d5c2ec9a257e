import { request } from "../../shared/api-client";
import type { Tokens } from "../../shared/session";

interface Message {
  message: string;
}

interface SignUp {
  email: string;
  password: string;
  recaptchaToken: string;
}

interface LogIn {
  username: string;
  password: string;
  recaptchaToken: string;
}

interface NewPassword {
  username: string;
  confirmationCode: string;
  password: string;
}

export const signUp = (body: SignUp) => request<Message>("POST", "/api/auth/signup", { body });
export const logIn = (body: LogIn) => request<Tokens>("POST", "/api/auth/login", { body });
export const confirmEmail = (body: { username: string; code: string }) =>
  request<Message>("POST", "/api/auth/confirm-email", { body });
export const resendCode = (body: { username: string }) => request<Message>("POST", "/api/auth/resend-code", { body });
export const forgotPassword = (body: { username: string }) =>
  request<Message>("POST", "/api/auth/forgot-password", { body });
export const confirmForgotPassword = (body: NewPassword) =>
  request<Message>("POST", "/api/auth/confirm-forgot-password", { body });
