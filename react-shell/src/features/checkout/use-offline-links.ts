import { useEffect, useState } from "react";

/**
 * Keeps the page while the browser is offline: a link would leave it for an error page, with what was typed. Returns
 * whether a link was held back since the connection was lost.
 */
export function useOfflineLinks(): boolean {
  const [isHeldBack, setHeldBack] = useState(false);
  useEffect(() => {
    function hold(event: MouseEvent) {
      if (navigator.onLine || !(event.target instanceof Element)) return;
      const link = event.target.closest<HTMLAnchorElement>("a[href]");
      if (!link || link.target === "_blank" || isWithinPage(link) || !link.protocol.startsWith("http")) return;
      event.preventDefault();
      event.stopPropagation();
      setHeldBack(true);
    }
    const release = () => setHeldBack(false);
    // Before the router's own listeners.
    document.addEventListener("click", hold, true);
    window.addEventListener("online", release);
    return () => {
      document.removeEventListener("click", hold, true);
      window.removeEventListener("online", release);
    };
  }, []);
  return isHeldBack;
}

function isWithinPage({ hash, pathname, search }: HTMLAnchorElement): boolean {
  return hash !== "" && pathname === window.location.pathname && search === window.location.search;
}
