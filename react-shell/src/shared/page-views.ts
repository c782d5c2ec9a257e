import { request } from "./api-client";
import { isPrivate } from "./paths";

let lastCounted: string | undefined;

/** Tells the shop that a public page was looked at. Nothing depends on it, so a failure is nobody's business. */
export function countPageView(pathname: string): void {
  if (isPrivate(pathname) || pathname === lastCounted) return;
  lastCounted = pathname;
  request("POST", "/api/pageviews", { body: { path: pathname }, keepalive: true }).catch(() => undefined);
}
