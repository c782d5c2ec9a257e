import { redirect, redirectDocument, replace } from "react-router";
import { needsDocumentNavigation } from "./paths";

/** Leaves the running page for another document, of this shop or of another origin. */
export function loadDocument(url: string): void {
  window.location.assign(url);
}

/** The same, in place of the running page's entry of the history. */
export function replaceDocument(url: string): void {
  window.location.replace(url);
}

/**
 * Redirects from a loader or action. Loads a document where the content security policies differ. If the page is the
 * current entry of the history already, the other page takes its place: Back would lead to the redirect again.
 */
export function redirectFrom(request: Request, to: string): Response {
  const isCurrent = request.url === window.location.href.replace(/#.*/, "");
  if (!needsDocumentNavigation(request.url, to)) return isCurrent ? replace(to) : redirect(to);
  // A document at the URL of the current entry replaces it.
  if (isCurrent) window.history.replaceState(null, "", to);
  return redirectDocument(to);
}
