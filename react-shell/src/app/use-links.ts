import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { needsDocument } from "../shared/paths";

/** Links inside views are plain ones: those that stay within this document are followed by the router. */
export function useLinks(): void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => {
    function follow(event: MouseEvent) {
      const target = targetOf(event);
      if (target === undefined || needsDocument(pathname, target)) return;
      event.preventDefault();
      void navigate(target);
    }
    document.addEventListener("click", follow);
    return () => document.removeEventListener("click", follow);
  }, [navigate, pathname]);
}

/** Where a click leads, if it is one that opens a page of this shop right here. */
function targetOf(event: MouseEvent): string | undefined {
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (event.defaultPrevented || !isPlain || !(event.target instanceof Element)) return undefined;
  // A link that is a button leads somewhere only where no script runs. The server's page has one too, and listens later.
  const link = event.target.closest<HTMLAnchorElement>("a[href]:not([role=button])");
  if (!link || link.target !== "" || link.hasAttribute("download") || link.rel.includes("external")) return undefined;
  const url = new URL(link.href, window.location.href);
  const isOwn = url.origin === window.location.origin;
  const isWithinPage = url.hash !== "" && url.pathname === window.location.pathname;
  return isOwn && !isWithinPage ? url.pathname + url.search + url.hash : undefined;
}
