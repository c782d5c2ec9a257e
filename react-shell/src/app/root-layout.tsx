import { useEffect, useRef, useState } from "react";
import {
  Outlet,
  ScrollRestoration,
  useLocation,
  useNavigation,
  useRevalidator,
  type ShouldRevalidateFunctionArgs,
} from "react-router";
import { request } from "../shared/api-client";
import { loadConfig } from "../shared/env";
import { focusPageHeading, isFocusLost } from "../shared/focus";
import { firstPaint, leaveFirstPage, useShown } from "../shared/first-paint";
import { countPageView } from "../shared/page-views";
import { leadsToLogin, paths } from "../shared/paths";
import { dropReturnPath } from "../shared/return-path";
import { useRootData, type RootData } from "../shared/root-data";
import type { Product } from "../shared/rules";
import { useSession } from "../shared/use-session";
import { useRefreshedCart } from "../features/cart/use-cart";
import { EarlierPayments } from "./earlier-payments";
import { Navigation, PageFooter } from "./frame";
import { useLinks } from "./use-links";

/** The shop's settings and its products. Without products the shop still stands: the menu is empty, the pages say why. */
export async function loader(): Promise<RootData> {
  const [config, products] = await Promise.all([
    loadConfig(),
    firstPaint()?.products ?? request<Product[]>("GET", "/api/products").catch((): Product[] => []),
  ]);
  return { config, products };
}

/** The catalogue is read again after an administrator changed it, and when something failed; not on every form. */
export function shouldRevalidate({ formAction, formMethod }: ShouldRevalidateFunctionArgs): boolean {
  if (formMethod === undefined) return true;
  return formAction?.startsWith(paths.adminProducts) ?? false;
}

export function RootLayout() {
  const { config, products } = useRootData();
  const { pathname, key } = useLocation();
  const isLoading = useNavigation().state === "loading";
  useRefreshedCart(products);
  useLinks();
  useHeadingFocus(pathname, key);
  // In this order: a session that ended while the first page was loaded has a path to return to.
  useReturnPathDropped(pathname);
  useSessionEnd();
  useEffect(() => countPageView(config.analytics, pathname), [config.analytics, pathname]);
  const isFramed = useFrame();
  useShown(isFramed);

  return (
    <>
      <a href="#page" className="skip-link">
        Skip to content
      </a>
      <Navigation products={products} shopName={config.shopName} />
      <main id="page" tabIndex={-1} aria-busy={isLoading}>
        {isFramed && <EarlierPayments />}
        {isFramed && <Outlet />}
      </main>
      <PageFooter config={config} />
      <ScrollRestoration />
    </>
  );
}

/** The frame's views are mounted in one task and the first page's in the next: together they would hold up the page. */
function useFrame(): boolean {
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    const task = setTimeout(() => setThere(true));
    return () => clearTimeout(task);
  }, []);
  return isThere;
}

/**
 * After a navigation the focus stands on the new page's heading, not on a link that is gone. Within a page, as from one
 * filter to another, it stays where it is, unless that is gone.
 */
function useHeadingFocus(pathname: string, key: string): void {
  const shown = useRef({ pathname, key });
  useEffect(() => {
    const before = shown.current;
    shown.current = { pathname, key };
    if (before.key === key) return;
    if (before.pathname !== pathname) leaveFirstPage();
    else if (!isFocusLost()) return;
    focusPageHeading();
  }, [pathname, key]);
}

/** When a session ends under a page, its loaders run again and send the visitor on. */
function useSessionEnd(): void {
  const who = useSession();
  const { revalidate } = useRevalidator();
  const wasEnded = who.kind === "anonymous" && who.wasEnded;
  useEffect(() => {
    if (wasEnded) void revalidate();
  }, [wasEnded, revalidate]);
}

/** A person who opens any other page than those that lead to the log-in is no longer on the way to the guarded one. */
function useReturnPathDropped(pathname: string): void {
  useEffect(() => {
    if (leadsToLogin(pathname)) return;
    dropReturnPath();
    // Back from the log-in page may show this document again as it was left.
    const dropAgain = (event: PageTransitionEvent) => event.persisted && dropReturnPath();
    window.addEventListener("pageshow", dropAgain);
    return () => window.removeEventListener("pageshow", dropAgain);
  }, [pathname]);
}
