import { sessionStore } from "./storage";

const KEY = "return-path";
const REASON = "return-reason";
const LOGGED_OUT = "logged-out";

/** Keeps, for this tab, where a person wanted to go before the log-in page stood in the way. */
export function rememberReturnPath(path: string): void {
  sessionStore.setItem(KEY, path);
  sessionStore.removeItem(REASON);
}

/** The same when the session ended while the page was open; the log-in page then says so. */
export function rememberLoggedOutAt(path: string): void {
  sessionStore.setItem(KEY, path);
  sessionStore.setItem(REASON, LOGGED_OUT);
}

export function wasLoggedOut(): boolean {
  return sessionStore.getItem(REASON) === LOGGED_OUT;
}

/** Gives the path once. Only a path of this shop comes back, whatever was stored. */
export function takeReturnPath(): string | undefined {
  const path = sessionStore.getItem(KEY);
  dropReturnPath();
  return path !== null && /^\/(?![/\\])/.test(path) ? path : undefined;
}

/** A person who goes elsewhere instead of logging in is not led back by a later log-in. */
export function dropReturnPath(): void {
  sessionStore.removeItem(KEY);
  sessionStore.removeItem(REASON);
}
