const KEY = "pending-email";

/** The address that waits for its code, kept for this tab so that it need not be typed again. */
export function keepPendingEmail(email: string): void {
  sessionStorage.setItem(KEY, email);
}

export function pendingEmail(): string {
  return sessionStorage.getItem(KEY) ?? "";
}

export function dropPendingEmail(): void {
  sessionStorage.removeItem(KEY);
}
