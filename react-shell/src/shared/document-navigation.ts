import { redirect, redirectDocument } from "react-router";
import { needsDocument } from "./paths";

/** Leaves the running page for another document of this shop. */
export function loadDocument(path: string): void {
  window.location.assign(path);
}

/** Loads another origin's or the provider's page. */
export function followLink(url: string): void {
  window.location.assign(url);
}

/** A loader's or action's redirect that changes the document where the policies differ. */
export function redirectFrom(request: Request, to: string): Response {
  return needsDocument(request.url, to) ? redirectDocument(to) : redirect(to);
}
