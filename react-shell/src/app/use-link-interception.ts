import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { needsDocumentNavigation } from "../shared/paths";

/** Client-side navigation for the plain links and GET forms of Leptos views, unless they require another document. */
export function useLinkInterception(): void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => {
    function follow(event: MouseEvent | SubmitEvent) {
      const target = event instanceof SubmitEvent ? formTargetOf(event) : targetOf(event);
      if (target === undefined || needsDocumentNavigation(pathname, target)) return;
      event.preventDefault();
      void navigate(target);
    }
    document.addEventListener("click", follow);
    document.addEventListener("submit", follow);
    return () => {
      document.removeEventListener("click", follow);
      document.removeEventListener("submit", follow);
    };
  }, [navigate, pathname]);
}

/** The target of a plain left click on a link to a page of this shop. */
function targetOf(event: MouseEvent): string | undefined {
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (event.defaultPrevented || !isPlain || !(event.target instanceof Element)) return undefined;
  // A link with role=button navigates only without JavaScript; its view handles the click.
  const link = event.target.closest<HTMLAnchorElement>("a[href]:not([role=button])");
  if (!link || link.target !== "" || link.hasAttribute("download") || link.rel.includes("external")) return undefined;
  const url = new URL(link.href, window.location.href);
  const isOwn = url.origin === window.location.origin;
  const isWithinPage = url.hash !== "" && url.pathname === window.location.pathname;
  return isOwn && !isWithinPage ? url.pathname + url.search + url.hash : undefined;
}

/** The target of a GET form with its filled-in fields. Forms of the shell handle their own submission. */
function formTargetOf(event: SubmitEvent): string | undefined {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== "get") return undefined;
  const fields = [...new FormData(form)].filter((field): field is [string, string] => field[1] !== "");
  return `${new URL(form.action).pathname}?${new URLSearchParams(fields)}`.replace(/\?$/, "");
}
