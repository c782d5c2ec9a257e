import { useCallback, useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { loadDocument, replaceDocument } from "./document-navigation";
import { needsDocumentNavigation } from "./paths";

/** Navigates to a page of the shop. Loads a document where the content security policies differ. */
export function useNavigateTo(): (to: string, options?: { replace: boolean }) => void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return useCallback(
    (to: string, options?: { replace: boolean }) => {
      if (!needsDocumentNavigation(pathname, to)) void navigate(to, options);
      else if (options?.replace) replaceDocument(to);
      else loadDocument(to);
    },
    [navigate, pathname],
  );
}

/** Replaces the page after a delay; undefined means no redirect. */
export function useDelayedRedirect(to: string | undefined, delayMs: number): void {
  const navigateTo = useNavigateTo();
  useEffect(() => {
    if (to === undefined) return;
    const timer = setTimeout(() => navigateTo(to, { replace: true }), delayMs);
    return () => clearTimeout(timer);
  }, [to, delayMs, navigateTo]);
}
