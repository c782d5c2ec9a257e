import { sessionStore } from "../../shared/storage";

const KEY = "pending-email";

/** The address that waits for its code, kept for this tab so that it need not be typed again. */
export function keepPendingEmail(email: string): void {
  sessionStore.setItem(KEY, email);
}

export function pendingEmail(): string {
  return sessionStore.getItem(KEY) ?? "";
}

export function dropPendingEmail(): void {
  sessionStore.removeItem(KEY);
}
