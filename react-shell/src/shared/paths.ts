/** All paths of the shop, so that links and routes agree. */
export const paths = {
  home: "/",
  about: "/about",
  contact: "/contact",
  tutorial: "/tutorial",
  scheduleLab: "/schedule-lab",
  recipes: "/schedules",
  privacy: "/privacy",
  terms: "/terms",
  shippingAndReturns: "/shipping-and-returns",
  products: "/products",
  product: (slug: string) => `/products/${encodeURIComponent(slug)}`,
  cart: "/cart",
  cartLine: (productId: string) => `/cart#${cartLineId(productId)}`,
  register: "/register",
  login: "/login",
  loginCode: "/login/code",
  confirmEmail: "/confirm-email",
  forgotPassword: "/forgot-password",
  /** With the address filled in. */
  forgotPasswordOf: (email: string) => `/forgot-password?${new URLSearchParams({ email })}`,
  confirmForgotPassword: (email: string) => `/confirm-forgot-password?${new URLSearchParams({ email })}`,
  profile: "/profile",
  profileOrders: "/profile/orders",
  profileSettings: "/profile/settings",
  orders: "/orders",
  order: (id: string) => `/order/${encodeURIComponent(id)}`,
  checkout: "/checkout",
  checkoutStep: (step: CheckoutStep) => `/checkout?step=${step}`,
  checkoutSuccess: (orderId: string) => `/checkout/success?${new URLSearchParams({ order_id: orderId })}`,
  admin: "/admin",
} as const;

/** The element id of a cart line on the cart page. */
export function cartLineId(productId: string): string {
  return `line-${productId}`;
}

type CheckoutStep = "address" | "payment";

/** Pages with a content security policy (CSP) of their own. */
const OWN_POLICY: ReadonlyMap<string, string> = new Map([
  [paths.checkout, "checkout"],
  [paths.login, "login"],
  [paths.loginCode, "login"],
  [paths.register, "register"],
]);

const PUBLIC: ReadonlySet<string> = new Set([
  paths.home,
  paths.about,
  paths.cart,
  paths.contact,
  paths.privacy,
  paths.products,
  paths.scheduleLab,
  paths.recipes,
  paths.shippingAndReturns,
  paths.terms,
  paths.tutorial,
]);

let arePublicPagesIsolated = false;

/**
 * Loads public pages as separate documents: their policy permits the analytics script, that of other pages does not.
 */
export function isolatePublicPages(): void {
  arePublicPagesIsolated = true;
}

/** Identifies a page's content security policy; null is the default policy. */
function policyOf(path: string): string | null {
  const { pathname } = new URL(path, "http://shop.invalid");
  const trimmed = trimTrailingSlash(pathname);
  const own = OWN_POLICY.get(trimmed);
  if (own !== undefined) return own;
  return arePublicPagesIsolated && isPublic(trimmed) ? "public" : null;
}

/** Whether two pages have different policies. A policy applies per document, so such a link must load a document. */
export function needsDocumentNavigation(from: string, to: string): boolean {
  return policyOf(from) !== policyOf(to);
}

/** Whether a page is public, the same for all visitors. The server has the same list in `pages/paths.rs`. */
export function isPublic(pathname: string): boolean {
  const trimmed = trimTrailingSlash(pathname);
  return PUBLIC.has(trimmed) || /^\/(products|schedules)\/[^/]+$/.test(trimmed);
}

function trimTrailingSlash(pathname: string): string {
  return pathname.replace(/\/+$/, "") || "/";
}

/** Pages on which a visitor logs in, creates an account or resets a password. */
const LOGIN_FLOW: ReadonlySet<string> = new Set([
  paths.login,
  paths.loginCode,
  paths.register,
  paths.confirmEmail,
  paths.forgotPassword,
  "/confirm-forgot-password",
]);

export function isLoginFlow(pathname: string): boolean {
  return LOGIN_FLOW.has(trimTrailingSlash(pathname));
}

/** Whether search engines must not index a page: cart, checkout, account, login and admin pages. */
export function isNoIndex(pathname: string): boolean {
  return /^\/(back-in-stock|cart|login|register|confirm-email|forgot-password|confirm-forgot-password|second-factor|undo-email-change|profile|orders?|admin|checkout)(\/|$)/.test(
    pathname,
  );
}
