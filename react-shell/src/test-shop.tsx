import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, vi } from "vitest";
import { logPageError } from "./app/error-page";
import { routes } from "./app/router";
import type { Schema } from "./shared/api-types";
import type { ShopConfig } from "./shared/shop-config";
import type { Order, Product, ProductList } from "./shared/rules";
import { session } from "./shared/session";

/** Mock responses by method and path. A value is the JSON of a 200 response; a function creates the response. */
export type MockResponses = Record<string, unknown>;

interface SentRequest {
  /** Method and path. */
  key: string;
  body: unknown;
}

export const CONFIG: ShopConfig = {
  shop_name: "Nudgelight",
  support_email: "support@nudgelight.example",
  test_mode: true,
  payments: { kind: "test", publishable_key: "pk_test_1", api_base: "/test-stripe" },
  bot_check: { kind: "off", site_key: null },
  analytics: { kind: "off", site: null, url: null },
  shipping_rates: {
    us: { first_pound: 4.95, additional_pound: 1.25 },
    ca: { first_pound: 11.95, additional_pound: 2.5 },
  },
  tax: { kind: "stripe" },
  delivery: {
    handling: { min: 1, max: 2 },
    transit: { US: { min: 3, max: 5 }, CA: { min: 5, max: 10 } },
    cutoff_hour: 15,
  },
  time_zone: "UTC",
  seller: null,
  return_shipping: "customer",
  return_days: 30,
  warranty_months: { min: 24, max: 24 },
  announcement: null,
  firmware: null,
  passkey_origin: null,
};

export const LIGHT = {
  id: "p1",
  name: "Nudgelight One",
  slug: "nudgelight-one",
  description: "A light that reminds.",
  price: 24.99,
  stock: 12,
  available: 10,
  weight_pounds: 0.6,
  active: true,
  image: "/images/nudgelight-one.svg",
  version: 1,
  form: "stick",
  lamp_color: "amber",
  card_picture: "photo",
  in_the_box: [],
  photos: [],
} satisfies Product;

/** The first page of a product list. */
export function productList(products: Product[]): ProductList {
  return { products, total: products.length, pages: 1, query: { search: "", sort: "featured", page: 1 } };
}

const PLACE = { line1: "12 Front St", city: "Los Angeles", state: "CA", postal_code: "90210", country: "US" };

export const ORDER: Order = {
  id: "o1",
  number: 1001,
  order_date: "2026-11-22T03:30:00Z",
  order_date_local: "2026-11-21T22:30:00-05:00",
  status: "pending",
  name: "Ada Lovelace",
  address: { name: "Ada Lovelace", address: PLACE },
  billing_address: { name: "Ada Lovelace", address: PLACE },
  tracking_number: null,
  subtotal: 49.98,
  shipping_cost: 6.2,
  tax: 3.62,
  total: 59.8,
  tax_breakdown: [],
  items: [{ product_id: "p1", product_name: "Nudgelight One", quantity: 2, price: 24.99 }],
  payment: { status: "paid", refunded: 0, dispute: "none", card: { brand: "visa", last4: "4242" } },
};

/** `ORDER` as administrators get it. */
export const ADMIN_ORDER: Schema<"AdminOrder"> = {
  ...ORDER,
  user_email: "ada@example.com",
  version: 3,
  owed: ORDER.items,
  history: [],
  alerts: [],
};

/** No refunds yet of `ORDER`. */
export const NO_REFUNDS = {
  refunds: [],
  left: {
    amount: 59.8,
    shipping: 6.2,
    lines: [{ product_id: "p1", product_name: "Nudgelight One", price: 24.99, quantity: 2 }],
  },
  today: "2026-11-27",
};

/** A mock error response. */
export function errorResponse(status: number, body: object): () => Response {
  return () => Response.json(body, { status });
}

export function offline(): never {
  throw new TypeError("Failed to fetch");
}

/** Renders a page of the shop, with real routes and a mock server. */
export function openShop(path: string, mockResponses: MockResponses = {}) {
  const requests: SentRequest[] = [];
  const responses: MockResponses = {
    "GET /api/config": CONFIG,
    "GET /api/products": [LIGHT],
    "GET /api/product-names": [{ name: LIGHT.name, slug: LIGHT.slug }],
    "GET /api/product-list": productList([LIGHT]),
    "GET /api/auth/passkeys": { passkeys: [] },
    "GET /api/policies/contact": { html: "<p>Email us.</p>" },
    [`GET /api/admin/order/${ORDER.id}/refunds`]: NO_REFUNDS,
    [`GET /api/admin/order/${ORDER.id}/disputes`]: { disputes: [], fraud_warnings: [] },
    ...mockResponses,
  };
  vi.stubGlobal("fetch", async (input: string, init: RequestInit = {}) => {
    const key = `${init.method ?? "GET"} ${input}`;
    requests.push({ key, body: bodyOf(init) });
    const response = responses[key in responses ? key : key.replace(/\?.*/, "")];
    if (response === undefined) return Response.json({ error: `No mock response for ${key}.` }, { status: 404 });
    return typeof response === "function" ? response() : Response.json(response);
  });
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  const view = render(<RouterProvider router={router} onError={logPageError} />, { onCaughtError: () => undefined });
  const user = userEvent.setup();
  return {
    ...view,
    router,
    user,
    requests,
    responses,
    sent: (key: string) => requests.filter((request) => request.key === key),
  };
}

function bodyOf(init: RequestInit): unknown {
  if (init.body instanceof URLSearchParams) return Object.fromEntries(init.body);
  return typeof init.body === "string" ? JSON.parse(init.body) : undefined;
}

/** Waits for a dialog. It takes clicks one render after it appears. */
export async function findDialog(name?: string): Promise<HTMLElement> {
  const dialog = await screen.findByRole("dialog", name === undefined ? {} : { name });
  await waitFor(() => expect(dialog.style.pointerEvents).toBe("auto"));
  return dialog;
}

export function issueTokens(email: string, groups: string[] = []) {
  const now = Math.floor(Date.now() / 1_000);
  const claims = { sub: `user-${email}`, email, groups, iat: now, exp: now + 900 };
  return {
    accessToken: `h.${btoa(JSON.stringify(claims))}.signature`,
    refreshToken: "refresh",
    device_token: "device",
  };
}

export function signIn(email: string, groups: string[] = []): void {
  session.logIn(issueTokens(email, groups));
}

/** Puts a product into the stored cart. */
export function fillCart(quantity = 2): void {
  const { active: _active, description: _description, version: _version, ...line } = LIGHT;
  localStorage.setItem("cart", JSON.stringify([{ ...line, quantity }]));
}
