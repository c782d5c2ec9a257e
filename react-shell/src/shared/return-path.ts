import { sessionStore } from "./storage";

const KEY = "return-path";

/** Keeps, for this tab, where a person wanted to go before the log-in page stood in the way. */
export function rememberReturnPath(path: string): void {
  sessionStore.setItem(KEY, path);
}

/** Gives the path once. Only a path of this shop comes back, whatever was stored. */
export function takeReturnPath(): string | undefined {
  const path = sessionStore.getItem(KEY);
  sessionStore.removeItem(KEY);
  return path !== null && /^\/(?![/\\])/.test(path) ? path : undefined;
}
