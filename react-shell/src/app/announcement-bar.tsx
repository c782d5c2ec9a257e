import { useEffect, useState, type ReactNode } from "react";
import { useLocation } from "react-router";
import { focusPageHeading } from "../shared/focus";
import { isNoIndex, paths } from "../shared/paths";
import type { ShopConfig } from "../shared/shop-config";
import { localStore } from "../shared/storage";
import { ANNOUNCEMENT_DELAY_MS } from "../shared/timings";

/** `early.js` reads it, too. */
const DISMISSED = "dismissedAnnouncement";

/** The shop's announcement on public pages, until the visitor dismisses this one. */
export function AnnouncementBar({ announcement }: { announcement: ShopConfig["announcement"] }) {
  const { pathname } = useLocation();
  const [dismissed, setDismissed] = useState(() => localStore.getItem(DISMISSED));
  const isShown = !isNoIndex(pathname) || pathname === paths.cart;
  if (announcement === null || announcement.id === dismissed || !isShown) return null;
  const { id, text, link } = announcement;

  function dismiss() {
    localStore.setItem(DISMISSED, id);
    setDismissed(id);
    focusPageHeading();
  }

  // The server renders the same elements.
  return (
    <aside className="announcement" aria-label="Announcement">
      <Announced key={id}>{link === null ? text : <a href={link}>{text}</a>}</Announced>
      <button type="button" onClick={dismiss}>
        <span aria-hidden>×</span>
        <span className="sr-only">Dismiss</span>
      </button>
    </aside>
  );
}

/** A live region whose text becomes accessible after the region, so that screen readers announce it. */
function Announced({ children }: { children: ReactNode }) {
  const [isHidden, setHidden] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setHidden(false), ANNOUNCEMENT_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status">
      <span aria-hidden={isHidden || undefined}>{children}</span>
    </p>
  );
}
