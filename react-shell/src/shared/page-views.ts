import { request } from "./api-client";
import { isPublic } from "./paths";
import { trackWithPlausible } from "./plausible";
import type { AnalyticsConfig } from "./shop-config";

let lastTracked: string | undefined;

/** Tracks a page view of a public page, honoring Do Not Track and Global Privacy Control. Failures are ignored. */
export function trackPageView(analytics: AnalyticsConfig, pathname: string): void {
  if (analytics.kind === "off" || !isPublic(pathname) || pathname === lastTracked || hasOptedOut()) return;
  lastTracked = pathname;
  if (analytics.kind === "plausible") trackWithPlausible(analytics, pathname);
  else request("POST", "/api/pageviews", { body: { path: pathname }, keepalive: true }).catch(() => undefined);
}

function hasOptedOut(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === "1" || globalPrivacyControl === true;
}
