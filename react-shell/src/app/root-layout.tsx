import { useEffect, useRef } from "react";
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
import { countPageView } from "../shared/page-views";
import { paths } from "../shared/paths";
import { useRootData, type RootData } from "../shared/root-data";
import type { Product } from "../shared/rules";
import { useSession } from "../shared/use-session";
import { useRefreshedCart } from "../features/cart/use-cart";
import { Footer } from "./footer";
import { NavigationBar } from "./navigation-bar";

/** The shop's settings and its products. Without products the shop still stands: the menu is empty, the pages say why. */
export async function loader(): Promise<RootData> {
  const [config, products] = await Promise.all([
    loadConfig(),
    request<Product[]>("GET", "/api/products").catch((): Product[] => []),
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
  const { pathname } = useLocation();
  const isLoading = useNavigation().state === "loading";
  useRefreshedCart(products);
  useHeadingFocus(pathname);
  useSessionEnd();
  useEffect(() => countPageView(config.analytics, pathname), [config.analytics, pathname]);

  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#page"
        className="no-print absolute top-2 left-2 z-50 -translate-y-20 rounded-field bg-ink px-4 py-2 text-paper focus:translate-y-0"
      >
        Skip to content
      </a>
      <NavigationBar products={products} shopName={config.shopName} />
      <div
        aria-hidden
        className={`h-0.5 bg-glow transition-opacity delay-100 ${isLoading ? "opacity-100" : "opacity-0"}`}
      />
      <main
        id="page"
        tabIndex={-1}
        className="w-full grow px-4 py-8 outline-none sm:px-6 sm:py-10"
        aria-busy={isLoading}
      >
        <Outlet />
      </main>
      <Footer config={config} />
      <ScrollRestoration />
    </div>
  );
}

/** Shown while the shop's settings are on their way. */
export function FirstPaint() {
  return (
    <p role="status" className="p-6 text-muted">
      One moment…
    </p>
  );
}

/** After a navigation the focus stands on the new page's heading, not on a link that is gone. */
function useHeadingFocus(pathname: string): void {
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    document.querySelector<HTMLElement>("#page h1")?.focus({ preventScroll: true });
  }, [pathname]);
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
