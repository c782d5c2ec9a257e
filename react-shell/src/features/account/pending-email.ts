import { sessionStore } from "../../shared/storage";

const KEY = "pending-email";

/** Saves, for this tab, the email address that awaits confirmation, to prefill the next form. */
export function savePendingEmail(email: string): void {
  sessionStore.setItem(KEY, email);
}

export function pendingEmail(): string {
  return sessionStore.getItem(KEY) ?? "";
}

export function clearPendingEmail(): void {
  sessionStore.removeItem(KEY);
}
