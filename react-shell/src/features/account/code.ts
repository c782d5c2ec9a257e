import { ApiError } from "../../shared/api-client";

/** How many digits a code has that we send by email. */
const DIGITS = 6;

/** A sentence where this cannot be the code from the email. Spaces do not matter: programs copy them along. */
export function checkCode(typed: string): string | undefined {
  const code = typed.replaceAll(/\s/g, "");
  if (code === "") return "Enter the code from the mail.";
  return /^\d+$/.test(code) && code.length === DIGITS ? undefined : `The code has ${DIGITS} digits.`;
}

/** The server's sentence about a code belongs to its field; `name` is what the form calls that. */
export function codeFields(error: unknown, name: string): Record<string, string> {
  const isAboutCode = error instanceof ApiError && (error.code === "CodeInvalid" || error.code === "CodeExpired");
  return isAboutCode ? { [name]: error.message } : {};
}
