import { useEffect, useRef, useState } from "react";
import { Outlet, useLocation, useNavigation, useRevalidator, type ShouldRevalidateFunctionArgs } from "react-router";
import { request } from "../shared/api-client";
import { loadConfig } from "../shared/shop-config";
import { focusPageHeading, isFocusLost } from "../shared/focus";
import { firstPaint, removeFirstPaintTags, useShellSwap } from "../shared/first-paint";
import { trackPageView } from "../shared/page-views";
import { isLoginFlow } from "../shared/paths";
import { clearReturnPath } from "../shared/return-path";
import { useRootData, type RootData } from "../shared/root-data";
import { useSession } from "../shared/use-session";
import { loadCartProducts } from "../features/cart/cart-products";
import { addEarly } from "../features/cart/early-add";
import { useCartRefresh } from "../features/cart/use-cart";
import { AnnouncementBar } from "./announcement-bar";
import { PaymentRecovery } from "./payment-recovery";
import { Navigation, PageFooter } from "./frame";
import { ScrollRestoration } from "./scroll-restoration";
import { useLinkInterception } from "./use-link-interception";

/**
 * Loads the configuration, the names for the menu and the products in the cart. If the names fail to load, the menu has
 * only its link to all products.
 */
export async function loader(): Promise<RootData> {
  const [config, menu, cartProducts] = await Promise.all([
    loadConfig(),
    firstPaint()?.menu ?? listProductNames().catch(() => []),
    addEarly().then(loadCartProducts),
  ]);
  return { config, menu, cartProducts };
}

const listProductNames = () => request<RootData["menu"]>("GET", "/api/product-names");

/** Reloads them on a revalidation and after changes of products and settings, but not after every form. */
export function shouldRevalidate({ formAction, formMethod }: ShouldRevalidateFunctionArgs): boolean {
  if (formMethod === undefined) return true;
  return /^\/admin\/(products|settings)/.test(formAction ?? "");
}

export function RootLayout() {
  const { config, menu, cartProducts } = useRootData();
  const { pathname, search, key } = useLocation();
  const isLoading = useNavigation().state === "loading";
  useCartRefresh(cartProducts);
  useLinkInterception();
  useFirstPaintCleanup(pathname + search);
  useHeadingFocus(pathname, key);
  // The order matters: a session that ends while the first page loads keeps its return path.
  useReturnPathCleanup(pathname);
  useSessionEnd();
  useEffect(() => {
    trackPageView(config.analytics, pathname);
  }, [config.analytics, pathname]);
  const isFrameMounted = useFrameMounted();
  useShellSwap(isFrameMounted);

  return (
    <>
      <a href="#page" className="skip-link">
        Skip to content
      </a>
      <AnnouncementBar announcement={config.announcement} />
      <Navigation menu={menu} shopName={config.shop_name} />
      <main id="page" tabIndex={-1} aria-busy={isLoading}>
        {isFrameMounted && <PaymentRecovery />}
        {isFrameMounted && <Outlet />}
      </main>
      <PageFooter config={config} />
      <ScrollRestoration />
    </>
  );
}

/** Mounts the frame in one task and the page in the next, to keep long tasks short. */
function useFrameMounted(): boolean {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => {
    const task = setTimeout(() => setMounted(true));
    return () => clearTimeout(task);
  }, []);
  return isMounted;
}

/** Removes the server's metadata when the visitor leaves the first page. */
function useFirstPaintCleanup(page: string): void {
  const first = useRef(page);
  useEffect(() => {
    if (page !== first.current) removeFirstPaintTags();
  }, [page]);
}

/**
 * Focuses the heading of the new page after a navigation. Within a page, as from one filter to another, the focus stays
 * unless its element is gone.
 */
function useHeadingFocus(pathname: string, key: string): void {
  const previous = useRef({ pathname, key });
  useEffect(() => {
    const last = previous.current;
    previous.current = { pathname, key };
    if (last.key === key) return;
    if (last.pathname === pathname && !isFocusLost()) return;
    focusPageHeading();
  }, [pathname, key]);
}

/** Runs the loaders again when the session ends, so that they redirect to the login page. */
function useSessionEnd(): void {
  const session = useSession();
  const { revalidate } = useRevalidator();
  const wasEnded = session.kind === "anonymous" && session.wasEnded;
  useEffect(() => {
    if (wasEnded) void revalidate();
  }, [wasEnded, revalidate]);
}

/** Clears the return path when the visitor leaves the login flow. */
function useReturnPathCleanup(pathname: string): void {
  useEffect(() => {
    if (isLoginFlow(pathname)) return;
    clearReturnPath();
    // Back may restore this document from the back/forward cache.
    const clearAgain = (event: PageTransitionEvent) => event.persisted && clearReturnPath();
    window.addEventListener("pageshow", clearAgain);
    return () => window.removeEventListener("pageshow", clearAgain);
  }, [pathname]);
}
