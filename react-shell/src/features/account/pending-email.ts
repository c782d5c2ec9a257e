import { sessionStore } from "../../shared/storage";

const KEY = "pending-email";

/** Saves, for this tab, the email address that awaits confirmation, to prefill the next form. */
export function savePendingEmail(email: string): void {
  sessionStore.setItem(KEY, email);
}

const CODE_SENT = "login-code-sent-to";

/** Saves, for this tab, where a login code was sent. */
export function saveCodeSentTo(email: string): void {
  sessionStore.setItem(CODE_SENT, email);
}

/** Whether a login code was sent to this address, at the request of this tab. */
export function isCodeSentTo(email: string): boolean {
  return email !== "" && sessionStore.getItem(CODE_SENT) === email;
}

export function pendingEmail(): string {
  return sessionStore.getItem(KEY) ?? "";
}

export function clearPendingEmail(): void {
  sessionStore.removeItem(KEY);
  sessionStore.removeItem(CODE_SENT);
}
