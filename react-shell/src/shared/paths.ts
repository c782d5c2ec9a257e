/** Every address of the shop, so that a link and a route can't disagree. */
export const paths = {
  home: "/",
  about: "/about",
  contact: "/contact",
  tutorial: "/tutorial",
  privacy: "/privacy",
  terms: "/terms",
  shippingAndReturns: "/shipping-and-returns",
  products: "/products",
  product: (slug: string) => `/products/${encodeURIComponent(slug)}`,
  cart: "/cart",
  cartLine: (productId: string) => `/cart#${cartLineId(productId)}`,
  register: "/register",
  login: "/login",
  confirmEmail: "/confirm-email",
  forgotPassword: "/forgot-password",
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
  adminOverview: "/admin/overview",
  adminOrders: "/admin/orders",
  adminOrdersWith: (filter: Record<string, string>) => `/admin/orders?${new URLSearchParams(filter)}`,
  adminProducts: "/admin/products",
  adminOrder: (id: string) => `/admin/order/${encodeURIComponent(id)}`,
} as const;

/** The id of a line's element on the cart's page. */
export function cartLineId(productId: string): string {
  return `line-${productId}`;
}

export type CheckoutStep = "address" | "payment";

const WITH_OWN_POLICY: ReadonlySet<string> = new Set([paths.checkout, paths.login, paths.register]);

const PUBLIC: ReadonlySet<string> = new Set([
  paths.home,
  paths.about,
  paths.cart,
  paths.contact,
  paths.privacy,
  paths.products,
  paths.shippingAndReturns,
  paths.terms,
  paths.tutorial,
]);

let publicPagesAreSeparate = false;

/** Whether public pages may load what others must not: then they are other documents than the rest. */
export function separatePublicPages(areSeparate: boolean): void {
  publicPagesAreSeparate = areSeparate;
}

/** The pages whose content security policy differs from all others; null is the common one. */
function policyOf(path: string): string | null {
  const { pathname } = new URL(path, "http://shop.invalid");
  const trimmed = withoutSlash(pathname);
  if (WITH_OWN_POLICY.has(trimmed)) return trimmed;
  return publicPagesAreSeparate && isPublic(trimmed) ? "public" : null;
}

/** A policy belongs to a document, so pages with another policy are entered and left by loading a document. */
export function needsDocument(from: string, to: string): boolean {
  return policyOf(from) !== policyOf(to);
}

/** The pages that look the same to everybody: the server has the same list, in `pages/paths.rs`. */
export function isPublic(pathname: string): boolean {
  const trimmed = withoutSlash(pathname);
  return PUBLIC.has(trimmed) || /^\/products\/[^/]+$/.test(trimmed);
}

function withoutSlash(pathname: string): string {
  return pathname.replace(/\/+$/, "") || "/";
}

const TO_LOGIN: ReadonlySet<string> = new Set([
  paths.login,
  paths.register,
  paths.confirmEmail,
  paths.forgotPassword,
  "/confirm-forgot-password",
]);

/** The pages on which people who are on their way to log in make an account or reset their password. */
export function leadsToLogin(pathname: string): boolean {
  return TO_LOGIN.has(withoutSlash(pathname));
}

/** Account, log-in and admin pages are never indexed. */
export function isPrivate(pathname: string): boolean {
  return /^\/(login|register|confirm-email|forgot-password|confirm-forgot-password|profile|orders?|admin|checkout)(\/|$)/.test(
    pathname,
  );
}
