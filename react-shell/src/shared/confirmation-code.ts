import { ApiError } from "./api-client";

const CODE_LENGTH = 6;

/** The error message for a malformed confirmation code. Whitespace is ignored, because email clients may copy it. */
export function checkCode(typed: string): string | undefined {
  const code = typed.replaceAll(/\s/g, "");
  if (code === "") return "Enter the code from your email.";
  return /^\d+$/.test(code) && code.length === CODE_LENGTH ? undefined : `Enter the ${CODE_LENGTH}-digit code.`;
}

/** Assigns an error response about the code to the form's code field. */
export function codeFieldErrors(error: unknown, name: string): Record<string, string> {
  const isAboutCode = error instanceof ApiError && (error.code === "CodeInvalid" || error.code === "CodeExpired");
  return isAboutCode ? { [name]: error.message } : {};
}
