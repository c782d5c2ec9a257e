import { request } from "./api-client";
import type { AnalyticsConfig } from "./env";
import { isPublic } from "./paths";
import { countAtPlausible } from "./plausible";

let lastCounted: string | undefined;

/** Tells whoever counts that a public page was looked at. Nothing depends on it, so a failure is nobody's business. */
export function countPageView(analytics: AnalyticsConfig, pathname: string): void {
  if (analytics.kind === "off" || !isPublic(pathname) || pathname === lastCounted || wantsToBeLeftOut()) return;
  lastCounted = pathname;
  if (analytics.kind === "plausible") countAtPlausible(analytics, pathname);
  else request("POST", "/api/pageviews", { body: { path: pathname }, keepalive: true }).catch(() => undefined);
}

function wantsToBeLeftOut(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === "1" || globalPrivacyControl === true;
}
