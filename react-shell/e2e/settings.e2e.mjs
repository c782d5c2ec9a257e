/** Settings: changed by keyboard, seen by a visitor, with their history; policies and the announcement bar. */
import assert from "node:assert/strict";
import { violationsOf } from "./axe.mjs";
import { test } from "./fixtures.mjs";
import { buysFor } from "./orders.mjs";
import { DEMO_PASSWORD, openShop } from "./shop.mjs";
import { logsIn, sees } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("./shop.mjs").Shop} Shop */

test.describe.configure({ mode: "serial" });

/** @type {Shop} */
let shop;

test.beforeAll(async () => {
  shop = await openShop({ SHOP_SUPPORT_EMAIL: "help@shop.example" });
});
test.afterAll(() => shop.close());

/** @param {import("./fixtures.mjs").NewVisitor} newVisitor */
async function openSettings(newVisitor) {
  const visitor = await newVisitor({ baseURL: shop.url });
  await logsIn(visitor.page, "admin@nudgelight.example", DEMO_PASSWORD);
  await visitor.page.goto("/admin/settings");
  await visitor.page.getByRole("heading", { name: "History" }).waitFor();
  return visitor;
}

/** Presses Tab until the control with this label or name has the focus. @param {Page} page @param {string} name */
async function tabsTo(page, name) {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
      return (isField ? element.labels?.[0] : element)?.textContent ?? "";
    });
    if (focused.startsWith(name)) return;
  }
  assert.fail(`Tab never came to ${name}`);
}

/** @param {Page} page @param {string} text */
async function replaces(page, text) {
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
}

/** @param {Page} page */
const focusedElement = (page) => page.evaluate(() => document.activeElement?.localName);

test("the shop's name and rates are changed by keyboard alone, and every page has them", async ({ newVisitor }) => {
  const { page, browserErrors } = await openSettings(newVisitor);
  assert.deepEqual(await violationsOf(page), []);
  const support = page.getByLabel("Support email");
  assert.equal(await support.getAttribute("readonly"), "");
  await sees(page, "SHOP_SUPPORT_EMAIL");

  await tabsTo(page, "Shop name");
  await replaces(page, "Lampshop");
  await page.keyboard.press("Enter");
  await sees(page, "Saved. Live within 5 seconds.");
  assert.equal(await focusedElement(page), "input");
  await page.locator("#nav").getByText("Lampshop").first().waitFor();
  await page.getByText("default → Lampshop").waitFor();

  const canada = page.getByRole("group", { name: "Canada" });
  await tabsTo(page, "First pound");
  await replaces(page, "7.25");
  await page.keyboard.press("Enter");
  await page.getByText("Shipping rates:").waitFor();
  assert.equal(await canada.getByLabel("First pound").inputValue(), "11.95");
  assert.deepEqual(await violationsOf(page), []);

  const visitor = await newVisitor({ baseURL: shop.url });
  await visitor.page.goto("/shipping-and-returns");
  await sees(visitor.page, "$7.25");
  assert.equal(await visitor.page.title(), "Shipping and Returns · Lampshop");
  assert.deepEqual([...browserErrors, ...visitor.browserErrors], []);
});

test("a policy is previewed, saved and restored", async ({ newVisitor }) => {
  const { page, browserErrors } = await openSettings(newVisitor);
  await page.getByRole("link", { name: "Edit Terms" }).click();
  const text = page.getByLabel("Text (Markdown)");
  await text.fill("## Ours\n\nAll of **{shop_name}** <script>alert(1)</script>");
  await page.getByRole("button", { name: "Show Preview" }).click();
  const preview = page.getByRole("region", { name: "Preview" });
  await preview.getByRole("heading", { name: "Ours" }).waitFor();
  assert.match((await preview.textContent()) ?? "", /All of Lampshop <script>/);
  assert.deepEqual(await violationsOf(page), []);
  await page.getByRole("button", { name: "Save Changes" }).click();
  await sees(page, "Saved. Live within 5 seconds.");

  const visitor = await newVisitor({ baseURL: shop.url });
  await visitor.page.goto("/");
  await visitor.page.getByRole("contentinfo").getByRole("link", { name: "Terms" }).click();
  await visitor.page.getByRole("heading", { name: "Ours" }).waitFor();
  assert.deepEqual(await violationsOf(visitor.page), []);

  await page.getByRole("button", { name: "Use Standard Text" }).click();
  assert.equal(await focusedElement(page), "textarea");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText(/· standard text$/).waitFor();
  await visitor.page.reload();
  await visitor.page.getByRole("heading", { name: "Warranty" }).waitFor();
  assert.deepEqual([...browserErrors, ...visitor.browserErrors], []);
});

test("the time zone moves the days of orders", async ({ newVisitor }) => {
  const customer = await newVisitor({ baseURL: shop.url });
  await logsIn(customer.page, "customer@nudgelight.example", DEMO_PASSWORD);
  const [order] = await buysFor(customer.page, "Nudgelight One", ["Ada Lovelace"]);
  const { page, browserErrors } = await openSettings(newVisitor);
  const form = page.getByRole("form", { name: "Time zone" });
  await form.getByLabel("Time zone").selectOption("Pacific/Kiritimati");
  await form.getByRole("button", { name: "Save Changes" }).click();
  await form.getByText("Saved.").waitFor();
  assert.deepEqual(await violationsOf(page), []);
  const today = new Date().toLocaleDateString("en-US", {
    timeZone: "Pacific/Kiritimati",
    dateStyle: "short",
  });
  const [month = "", day = ""] = today.split("/").map((part) => part.padStart(2, "0"));
  await page.goto(`/admin/order/${order}`);
  await page
    .getByTitle(/UTC\+14:00/)
    .first()
    .waitFor();
  await page.goto("/admin/orders");
  await page.getByRole("row", { name: new RegExp(`${month}/${day}/\\d{4}`) }).waitFor();
  await customer.page.goto("/profile/orders");
  await customer.page.getByRole("row", { name: new RegExp(`${month}/${day}/\\d{4}`) }).waitFor();
  assert.deepEqual([...browserErrors, ...customer.browserErrors], []);
});

test("an announcement is painted with the page, moves nothing and stays dismissed", async ({ newVisitor }) => {
  const { page } = await openSettings(newVisitor);
  const form = page.getByRole("form", { name: "Announcement" });
  await form.getByLabel("Text").fill("Order by December 18.");
  await form.getByLabel("Link").fill("javascript:alert(1)");
  await form.getByRole("button", { name: "Save Changes" }).click();
  await sees(page, "Enter a URL like https://example.com, or a path of the shop like /products.");
  await form.getByLabel("Link").fill("/products");
  await form.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("Saved.").waitFor();

  const visitor = await newVisitor({ baseURL: shop.url });
  await visitor.page.addInitScript(() => {
    Reflect.set(globalThis, "shift", 0);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        Reflect.set(globalThis, "shift", Reflect.get(globalThis, "shift") + Reflect.get(entry, "value"));
    }).observe({ type: "layout-shift", buffered: true });
  });
  await visitor.page.goto("/about");
  const bar = visitor.page.getByRole("complementary", { name: "Announcement" });
  await bar.getByText("Order by December 18.").waitFor();
  await visitor.page.locator("#root").waitFor({ state: "detached" });
  await bar.getByRole("link").waitFor();
  assert.deepEqual(await violationsOf(visitor.page), []);
  const shift = await visitor.page.evaluate(() => Number(Reflect.get(globalThis, "shift")));
  assert.ok(shift < 0.02, `layout shift ${shift}`);

  await bar.getByRole("button", { name: "Dismiss" }).press("Enter");
  await bar.waitFor({ state: "detached" });
  assert.equal(await focusedElement(visitor.page), "h1");
  /** @type {(() => void)[]} */
  const heldScripts = [];
  await visitor.page.route("**/assets/*.js", (route) => {
    // Some may have been let through when the route was removed.
    heldScripts.push(() => void route.continue().catch(() => undefined));
  });
  await visitor.page.goto("/terms", { waitUntil: "commit" });
  await visitor.page.locator("#root header").waitFor();
  assert.equal(await bar.isVisible(), false, "hidden before the shell has loaded");
  await visitor.page.unroute("**/assets/*.js");
  for (const release of heldScripts) release();

  await form.getByLabel("Text").fill("Order by December 20.");
  await form.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("December 20., link").first().waitFor();
  await visitor.page.goto("/about");
  await bar.getByText("Order by December 20.").waitFor();
  assert.deepEqual(visitor.browserErrors, []);
});
