import { sessionStore } from "./storage";

const KEY = "return-path";
const REASON = "return-reason";
const LOGGED_OUT = "logged-out";

/** Saves, for this tab, the page to return to after a login. */
export function saveReturnPath(path: string): void {
  sessionStore.setItem(KEY, path);
  sessionStore.removeItem(REASON);
}

/** Saves the page on which the session ended. The login page then says so. */
export function saveReturnPathAfterExpiry(path: string): void {
  sessionStore.setItem(KEY, path);
  sessionStore.setItem(REASON, LOGGED_OUT);
}

export function wasLoggedOut(): boolean {
  return sessionStore.getItem(REASON) === LOGGED_OUT;
}

/** Reads and clears the return path. Rejects any other origin (open redirect), whatever storage holds. */
export function takeReturnPath(): string | undefined {
  const path = sessionStore.getItem(KEY);
  clearReturnPath();
  return path !== null && /^\/(?![/\\])/.test(path) ? path : undefined;
}

/** Clears the return path: a later login does not lead to a page that the visitor gave up on. */
export function clearReturnPath(): void {
  sessionStore.removeItem(KEY);
  sessionStore.removeItem(REASON);
}
