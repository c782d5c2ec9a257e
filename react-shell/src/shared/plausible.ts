import { loadScript } from "./load-script";
import { isPublic } from "./paths";
import type { AnalyticsConfig } from "./shop-config";

type PageView = ["pageview", { u: string }];

declare global {
  /** Plausible's function. Until its script has loaded, a stub that queues the page views in `q`. */
  var plausible: (((...view: PageView) => void) & { q?: PageView[] }) | undefined;
}

/** The path for which the document was loaded. Its content security policy stays in force during client navigation. */
const documentPath = window.location.pathname;

/** Tracks a page view with Plausible: the path without its query, which may contain personal data. */
export function trackWithPlausible({ site, url }: AnalyticsConfig, pathname: string): void {
  if (site === null || url === null || !isPublic(documentPath)) return;
  globalThis.plausible ??= queueViews();
  // The manual variant of the script tracks no page view by itself.
  loadScript(`${url}/js/script.manual.js`, { "data-domain": site, "data-api": `${url}/api/event` }).catch(
    () => undefined,
  );
  globalThis.plausible("pageview", { u: window.location.origin + pathname });
}

function queueViews() {
  const queue: PageView[] = [];
  return Object.assign((...view: PageView) => void queue.push(view), { q: queue });
}
