import { redirect, redirectDocument } from "react-router";
import { needsDocumentNavigation } from "./paths";

/** Leaves the running page for another document, of this shop or of another origin. */
export function loadDocument(url: string): void {
  window.location.assign(url);
}

/** Redirects from a loader or action. Loads a document where the content security policies differ. */
export function redirectFrom(request: Request, to: string): Response {
  return needsDocumentNavigation(request.url, to) ? redirectDocument(to) : redirect(to);
}
