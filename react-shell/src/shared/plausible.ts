import type { AnalyticsConfig } from "./env";
import { loadScript } from "./load-script";
import { isPublic } from "./paths";

type PageView = ["pageview", { u: string }];

declare global {
  /** The script's own function; until it is there, one that keeps the calls for it. */
  var plausible: (((...view: PageView) => void) & { q?: PageView[] }) | undefined;
}

/** The page for which the document was loaded: its policy is the document's, wherever the visitor goes in it. */
const documentPath = window.location.pathname;

/** Counts a view at a Plausible server: the page's path without its query, which may name a person. */
export function countAtPlausible({ site, url }: AnalyticsConfig, pathname: string): void {
  if (site === null || url === null || !isPublic(documentPath)) return;
  globalThis.plausible ??= keepViews();
  // The variant that counts what it is told, and nothing by itself.
  loadScript(`${url}/js/script.manual.js`, { "data-domain": site, "data-api": `${url}/api/event` }).catch(
    () => undefined,
  );
  globalThis.plausible("pageview", { u: window.location.origin + pathname });
}

function keepViews() {
  const kept: PageView[] = [];
  return Object.assign((...view: PageView) => void kept.push(view), { q: kept });
}
