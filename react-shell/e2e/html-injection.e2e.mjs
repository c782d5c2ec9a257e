import assert from "node:assert/strict";
import { test } from "./fixtures.mjs";
import { waitForDocuments } from "./mail.mjs";
import { DEMO_PASSWORD, openShop } from "./shop.mjs";
import { arrivesAt, logsIn, sees } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("./fixtures.mjs").NewVisitor} NewVisitor */
/** @typedef {(path: string, body?: object, method?: string) => Promise<any>} Call */

/** Script injections (XSS). Each calls `fire()` if a page does not escape it. */
const TEXTS = [
  "<script>fire()</script>",
  "</script><script>fire()</script>",
  "<img src=x onerror=fire()>",
  '"><img src=x onerror=fire()>',
  "'><svg onload=fire()>",
  "<svg><script>fire()</script></svg>",
  "<svg/onload=fire()>",
  "<iframe srcdoc='<script>parent.fire()</script>'>",
  "<iframe src=javascript:parent.fire()>",
  "javascript:fire()",
  "<a href=javascript:fire()>1</a>",
  '" onmouseover=fire() autofocus onfocus=fire() x="',
  "' autofocus onfocus=fire() x='",
  "<details open ontoggle=fire()>",
  "<video><source onerror=fire()></video>",
  "</title><script>fire()</script>",
  "</textarea><script>fire()</script>",
  "--><script>fire()</script><!--",
  "]]><script>fire()</script>",
  "&lt;script&gt;fire()&lt;/script&gt;",
];

/** @type {Awaited<ReturnType<typeof openShop>>} */
let shop;
/** @type {string[]} */
let slugs;
/** @type {string[]} */
let orders;

test.beforeAll(async () => {
  shop = await openShop({ SHOP_BOT_CHECK: "off", SHOP_RATE_LIMITS: "off", SHOP_ORDERS_EMAIL: "keeper@example.com" });
  const [admin, customer] = await Promise.all(["admin", "customer"].map(calls));
  const products = await Promise.all(TEXTS.map((text) => addsProduct(/** @type {Call} */ (admin), text)));
  slugs = products.map((product) => product.slug);
  orders = [];
  // Each text appears once in each line of an address.
  for (const [index, product] of products.entries()) {
    const order = await buys(/** @type {Call} */ (customer), product.id, index);
    const tracking = { status: "shipped", tracking_number: TEXTS[index] };
    await /** @type {Call} */ (admin)(`/api/admin/order/${order}`, tracking, "PATCH");
    orders.push(order);
  }
});

test.afterAll(async () => {
  await shop.close();
});

/** API calls of a logged-in user. @param {string} name @returns {Promise<Call>} */
async function calls(name) {
  /** @type {Call} */
  async function call(path, body, method = body === undefined ? "GET" : "POST") {
    const init = { method, headers: { "content-type": "application/json", authorization: `Bearer ${token}` } };
    const response = await fetch(shop.url + path, body === undefined ? init : { ...init, body: JSON.stringify(body) });
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`);
    return response.json();
  }
  let token = "";
  const log = { username: `${name}@nudgelight.example`, password: DEMO_PASSWORD, recaptchaToken: "" };
  token = (await call("/api/auth/login", log)).accessToken;
  return call;
}

/** @param {Call} admin @param {string} text */
function addsProduct(admin, text) {
  return admin("/api/products", { name: text, description: text, price: 1.5, stock: 50, weight_pounds: 0.5 });
}

/** Returns the order's ID. @param {Call} customer @param {string} product @param {number} index */
async function buys(customer, product, index) {
  const [name, line1, line2, city] = [0, 1, 2, 3].map((step) => TEXTS[(index + step) % TEXTS.length] ?? "");
  const place = { line1, line2, city, state: "CA", postal_code: "90210", country: "US" };
  const address = { name, address: place };
  const items = [{ product_id: product, quantity: 1 }];
  const { payments } = await customer("/api/config");
  const quote = { currency: "usd", shippingAddress: address, items };
  const { paymentIntent: intent } = await customer("/api/payments/create-intent", quote);
  const paid = await fetch(`${shop.url}/test-stripe/v1/payment_intents/${intent.id}/confirm`, {
    method: "POST",
    headers: { authorization: `Bearer ${payments.publishable_key}` },
    body: new URLSearchParams({ client_secret: intent.client_secret, payment_method: "pm_card_visa" }),
  });
  assert.ok(paid.ok, await paid.text());
  return (await customer("/api/orders", { paymentIntentId: intent.id })).orderId;
}

/** Fails if a text runs as a script. @param {NewVisitor} newVisitor @param {(page: Page) => Promise<void>} work */
async function runsNothing(newVisitor, work) {
  const { context, page, browserErrors } = await newVisitor({ baseURL: shop.url });
  await context.exposeFunction("fire", () => browserErrors.push(`a script ran on ${page.url()}`));
  page.on("dialog", (dialog) => browserErrors.push(`a dialog opened: ${dialog.message()}`));
  await work(page);
  assert.deepEqual(browserErrors, []);
  await context.close();
}

/** Checks that no text became an event handler, a script or a `javascript:` URL. @param {Page} page */
async function isText(page) {
  const found = await page.evaluate(() =>
    [...document.querySelectorAll("*")].flatMap((element) => {
      const handlers = element.getAttributeNames().filter((name) => name.startsWith("on"));
      const addresses = ["href", "action", "formaction"].filter((name) =>
        /^\s*javascript:/i.test(element.getAttribute(name) ?? ""),
      );
      const isForeign = ["IFRAME", "VIDEO"].includes(element.tagName);
      const runs = element.tagName === "SCRIPT" && element.textContent.trim() === "fire()";
      return handlers.length + addresses.length > 0 || isForeign || runs ? [element.outerHTML.slice(0, 200)] : [];
    }),
  );
  assert.deepEqual(found, [], page.url());
}

/** @param {Page} page @param {string} path @param {string} shown a text to wait for */
async function isTextAt(page, path, shown) {
  await page.goto(path);
  await sees(page, shown);
  await isText(page);
}

test.describe("what people type", () => {
  // invariant: cross-site-scripting
  test("is text on every page of a visitor, painted by the server and by the shell", ({ newVisitor }) =>
    runsNothing(newVisitor, async (page) => {
      for (const [index, slug] of slugs.entries()) {
        await page.goto(`/products/${slug}`);
        await page
          .getByRole("heading", { level: 1 })
          .filter({ hasText: TEXTS[index] ?? "" })
          .waitFor();
        await isText(page);
      }
      await page.getByRole("button", { name: "Products", exact: true }).click();
      await page
        .getByRole("menuitem")
        .nth(TEXTS.length - 1)
        .waitFor();
      await isText(page);
      await isTextAt(page, "/products", TEXTS[0] ?? "");
      const cart = TEXTS.map((text) => ({
        id: text,
        name: text,
        price: 1.5,
        quantity: 1,
        image: "/apple-touch-icon.png",
        slug: text,
      }));
      await page.evaluate((stored) => localStorage.setItem("cart", stored), JSON.stringify(cart));
      await isTextAt(page, "/cart", TEXTS[0] ?? "");
      await page.goto(`/confirm-forgot-password?email=${encodeURIComponent(TEXTS[3] ?? "")}`);
      await page.getByRole("button", { name: /Reset/ }).waitFor();
      await isText(page);
    }));

  // invariant: cross-site-scripting
  test("is text to the customer who typed it", ({ newVisitor }) =>
    runsNothing(newVisitor, async (page) => {
      await logsIn(page, "customer@nudgelight.example", DEMO_PASSWORD);
      for (const [index, order] of orders.entries()) await isTextAt(page, `/order/${order}`, TEXTS[index] ?? "");
      await isTextAt(page, "/profile/orders", TEXTS.at(-1) ?? "");
      await isTextAt(page, `/checkout/success?order_id=${orders[0]}`, "Thank you for your order");
    }));

  // invariant: cross-site-scripting
  test("is text to an administrator, also where it is edited", ({ newVisitor }) =>
    runsNothing(newVisitor, async (page) => {
      await logsIn(page, "admin@nudgelight.example", DEMO_PASSWORD);
      for (const [index, order] of orders.entries()) {
        if (index % 4 > 0) continue;
        await isTextAt(page, `/admin/order/${order}`, TEXTS[index] ?? "");
        await page.getByRole("button", { name: "Edit Order" }).click();
        await page.getByRole("button", { name: "Save Changes" }).waitFor();
        await isText(page);
      }
      await page.goto(`/admin/orders?q=${encodeURIComponent(TEXTS[0] ?? "")}`);
      await arrivesAt(page, "/admin/orders");
      await page.getByRole("columnheader", { name: "Customer" }).waitFor();
      await isText(page);
      for (const path of ["/admin/orders", "/admin/products", "/admin/overview"]) {
        await page.goto(path);
        await page.getByRole("table").first().waitFor({ state: "attached" });
        await isText(page);
      }
    }));

  // invariant: cross-site-scripting
  test("is text in every mail, also for a mail program that would run it", ({ newVisitor }) =>
    runsNothing(newVisitor, async (page) => {
      const documents = await waitForDocuments(shop, 3 * TEXTS.length);
      for (const document of documents) {
        // The pictures are parts of the message.
        await page.setContent(document.replaceAll(/src="cid:[^"]*"/g, 'src="data:,"'));
        await isText(page);
      }
    }));
});
