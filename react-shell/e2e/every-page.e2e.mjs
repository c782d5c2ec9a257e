// Every page and dialog: its HTML is valid, axe finds no violation, nothing scrolls sideways, and the focus is visible
// wherever Tab leads, in both themes and at 400 % zoom.
import assert from "node:assert/strict";
import { violationsOf } from "./axe.mjs";
import { resize, test } from "./fixtures.mjs";
import { faultsOfFocus } from "./focus-ring.mjs";
import { htmlErrorsOf } from "./html.mjs";
import { buysFor } from "./orders.mjs";
import { adminPaths, customerPaths, PUBLIC } from "./routes.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { addsToCart, goesToPayment, logsIn, opens } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("./fixtures.mjs").NewVisitor} NewVisitor */

// 320 px is 1280 px at 400 % zoom (WCAG 1.4.10).
const WIDTHS = [1440, 834, 360, 320];

test.describe.configure({ mode: "parallel" });

/** @param {Page} page */
async function check(page) {
  assert.deepEqual(await htmlErrorsOf(page), [], page.url());
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    assert.deepEqual(await lastingViolations(page), [], `${page.url()} in ${colorScheme}`);
    assert.deepEqual(await faultsOfFocus(page), [], `${page.url()} in ${colorScheme}`);
  }
  for (const width of WIDTHS) {
    await resize(page, width);
    const fits = page.waitForFunction(() => document.documentElement.scrollWidth <= window.innerWidth, {
      timeout: 3_000,
    });
    await assert.doesNotReject(fits, `${page.url()} scrolls sideways at ${width}`);
  }
  // 1280 × 1024 at 400 % zoom.
  await resize(page, 320, 256);
  assert.deepEqual(await faultsOfFocus(page), [], `${page.url()} at 320 × 256`);
  await resize(page, 1280);
}

/** Violations that axe still finds a second later: colors in a theme transition are no violation. @param {Page} page */
async function lastingViolations(page) {
  const found = await violationsOf(page);
  if (found.length === 0) return [];
  await page.waitForTimeout(1_000);
  return violationsOf(page);
}

/** The page of an administrator, and the ID of a customer's order. @param {NewVisitor} newVisitor */
async function administrator(newVisitor) {
  const customer = await newVisitor();
  await logsIn(customer.page, "customer@nudgelight.example", DEMO_PASSWORD);
  const [order = ""] = await buysFor(customer.page, "Nudgelight One", ["Ada Lovelace"]);
  const { page } = await newVisitor();
  await logsIn(page, "admin@nudgelight.example", DEMO_PASSWORD);
  return { page, order };
}

test.describe("everyone can use", () => {
  for (const path of PUBLIC) {
    test(path, async ({ newVisitor }) => {
      const { page } = await newVisitor();
      await opens(page, path);
      await check(page);
    });
  }

  test("the cart and both steps of the checkout", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await logsIn(page, "customer@nudgelight.example", DEMO_PASSWORD);
    await addsToCart(page, "Nudgelight Mini", 1);
    await check(page);
    await opens(page, "/cart");
    await check(page);
    await opens(page, "/checkout");
    // The form is prefilled with the address of the last order.
    await page.getByLabel("City").fill("");
    await page.getByRole("button", { name: "Continue to Payment" }).click();
    await page.getByText("Enter the city.").waitFor();
    await check(page);
    await goesToPayment(page);
    await check(page);
  });

  test("the pages of a customer", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await logsIn(page, "customer@nudgelight.example", DEMO_PASSWORD);
    const [order = ""] = await buysFor(page, "Nudgelight One", ["Ada Lovelace"]);
    for (const path of customerPaths(order)) {
      await opens(page, path);
      await check(page);
    }
  });
});

test.describe("an administrator can use", () => {
  for (const path of adminPaths(":order")) {
    test(path, async ({ newVisitor }) => {
      const { page, order } = await administrator(newVisitor);
      await opens(page, path.replace(":order", order));
      await check(page);
    });
  }

  test("the dialogs of products, and a stock history", async ({ newVisitor }) => {
    const { page } = await administrator(newVisitor);
    await opens(page, "/admin/products");
    await page.getByRole("button", { name: "Edit Nudgelight One" }).click();
    await check(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Add Product" }).click();
    await check(page);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Stock history of Nudgelight One" }).click();
    await page.getByRole("heading", { name: "Movements" }).waitFor();
    await check(page);
  });

  test("a customer's page", async ({ newVisitor }) => {
    const { page } = await administrator(newVisitor);
    await opens(page, "/admin/customers?q=customer");
    await page.getByRole("columnheader", { name: "Spent" }).waitFor();
    await check(page);
    await page.getByRole("link", { name: "customer@nudgelight.example" }).click();
    await page
      .getByRole("button", { name: /^Resend/ })
      .first()
      .waitFor();
    await check(page);
  });

  test("the journal's dialog, the palette, and the keyboard's help", async ({ newVisitor }) => {
    const { page } = await administrator(newVisitor);
    await opens(page, "/admin/money");
    await page.getByRole("button", { name: "Export Journal" }).click();
    await check(page);
    await page.keyboard.press("Escape");
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("dialog", { name: "Go to…" }).waitFor();
    await check(page);
    await page.keyboard.press("Escape");
    await opens(page, "/admin/orders");
    await page.getByRole("columnheader", { name: "Customer" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await check(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Export CSV" }).click();
    await check(page);
  });

  test("an order's editor and dialogs", async ({ newVisitor }) => {
    const { page, order } = await administrator(newVisitor);
    await opens(page, `/admin/order/${order}`);
    await page.getByRole("button", { name: "Edit Order" }).click();
    await check(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Refund…" }).click();
    await check(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Mark as Processing" }).click();
    await page.getByRole("button", { name: "Mark as Shipped" }).click();
    await check(page);
  });
});
