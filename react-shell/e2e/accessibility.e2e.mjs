import assert from "node:assert/strict";
import { violationsOf } from "./axe.mjs";
import { resize, test } from "./fixtures.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { buysFor } from "./orders.mjs";
import { customerPaths, PUBLIC } from "./routes.mjs";
import { addsToCart, goesToPayment, logsIn } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */

// 320 px is 1280 px at 400 % zoom (WCAG 1.4.10).
const WIDTHS = [320, 360, 834, 1440];

/** Runs axe in both themes, and checks for horizontal scrolling at each width. @param {Page} page */
async function check(page) {
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    assert.deepEqual(await lastingViolations(page), [], `${page.url()} in ${colorScheme}`);
  }
  for (const width of WIDTHS) {
    await resize(page, width);
    const fits = page.waitForFunction(() => document.documentElement.scrollWidth <= window.innerWidth, {
      timeout: 3_000,
    });
    await assert.doesNotReject(fits, `${page.url()} scrolls sideways at ${width}`);
  }
  await resize(page, 1280);
}

/** Violations that axe still finds a second later: colors in a theme transition are no violation. @param {Page} page */
async function lastingViolations(page) {
  const found = await violationsOf(page);
  if (found.length === 0) return [];
  await page.waitForTimeout(1_000);
  return violationsOf(page);
}

/** @param {Page} page @param {string} path */
async function opens(page, path) {
  await page.goto(path);
  await page.locator("h1").waitFor();
  await page.waitForLoadState();
}

test.describe("everybody can use", () => {
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

  test("the admin area: overview, orders, one order, its editor, products, and their dialogs", async ({
    newVisitor,
  }) => {
    const customer = await newVisitor();
    await logsIn(customer.page, "customer@nudgelight.example", DEMO_PASSWORD);
    await buysFor(customer.page, "Nudgelight One", ["Ada Lovelace"]);
    const { page } = await newVisitor();
    await logsIn(page, "admin@nudgelight.example", DEMO_PASSWORD);
    await opens(page, "/admin/overview");
    await page.getByRole("table").first().waitFor({ state: "attached" });
    await check(page);
    await opens(page, "/admin/products");
    await page.getByRole("button", { name: "Edit Nudgelight One" }).waitFor();
    await check(page);
    await page.getByRole("button", { name: "Edit Nudgelight One" }).click();
    await check(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Add Product" }).click();
    await check(page);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Stock history of Nudgelight One" }).click();
    await page.getByRole("heading", { name: "Movements" }).waitFor();
    await check(page);
    await opens(page, "/admin/customers?q=customer");
    await page.getByRole("columnheader", { name: "Spent" }).waitFor();
    await check(page);
    await page.getByRole("link", { name: "customer@nudgelight.example" }).click();
    await page
      .getByRole("button", { name: /^Resend/ })
      .first()
      .waitFor();
    await check(page);
    await opens(page, "/admin/money");
    await page.getByRole("heading", { name: /Payouts|No payouts yet/ }).waitFor();
    await check(page);
    await page.getByRole("button", { name: "Export Journal" }).click();
    await check(page);
    await page.keyboard.press("Escape");
    await opens(page, "/admin/taxes");
    await check(page);
    await opens(page, "/admin/health");
    await page.getByRole("heading", { name: "Waiting work" }).waitFor();
    await check(page);
    await opens(page, "/admin/settings");
    await page.getByRole("heading", { name: "Policies" }).waitFor();
    await check(page);
    await opens(page, "/admin/tracking-import");
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("dialog", { name: "Go to…" }).waitFor();
    await check(page);
    await page.keyboard.press("Escape");
    await opens(page, "/admin/orders");
    await page.getByRole("columnheader", { name: "Customer" }).waitFor();
    await check(page);
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await check(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Export CSV" }).click();
    await check(page);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Packing Slips" }).click();
    await page.getByRole("heading", { name: "Pick list" }).waitFor();
    await check(page);
    await page.goBack();
    await page
      .getByRole("link", { name: /^\d{4,}$/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Edit Order" }).waitFor();
    await page.waitForLoadState();
    await check(page);
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

  test("a product's card shows the whole ring of the focus", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await opens(page, "/products");
    await page.locator("#root").waitFor({ state: "detached" });
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement?.closest("article") !== null)) break;
    }
    const ring = await page.evaluate(() => {
      const card = document.activeElement?.closest("article");
      if (!card) return "no card has the focus";
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(card);
      return `${outlineStyle} ${outlineWidth} ${outlineOffset}`;
    });
    assert.equal(ring, "solid 3px 2px", "on the card itself, which cuts off what is inside");
  });

  test("two hundred products have room in the menu", async ({ newVisitor }) => {
    const { page } = await newVisitor({ viewport: { width: 1280, height: 600 } });
    // The shell reads the catalog from the server-rendered page.
    await page.route("**/cart", async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/(id="first-paint"[^>]*>)([^<]*)/, (_tag, start, json) => {
        const menu = Array.from({ length: 200 }, (_, index) => ({ name: `Light ${index}`, slug: `light-${index}` }));
        return start + JSON.stringify({ ...JSON.parse(json), menu });
      });
      await route.fulfill({ response, body });
    });
    await opens(page, "/cart");
    await page.locator("#root").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Products" }).press("Enter");
    await page.getByRole("menuitem", { name: "Light 199" }).waitFor();
    const menu = await page.getByRole("menu").boundingBox();
    assert.ok(menu && menu.y + menu.height <= 600, `the menu ends at ${menu && menu.y + menu.height}`);
    await page.keyboard.press("End");
    await page.waitForFunction(() => document.activeElement?.textContent === "All products");
    assert.equal(await page.evaluate(() => window.scrollY), 0, "the menu scrolls, not the page");
    assert.equal(await page.getByRole("menuitem").count(), 201);
  });

  test("the menus, by keyboard alone", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await opens(page, "/");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Skip to content");
    await page.getByRole("button", { name: "Products" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Nudgelight One" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Nudgelight One", level: 1 }).waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === "H1");
    await resize(page, 390, 844);
    await page.getByRole("button", { name: "Open menu" }).press("Enter");
    const menu = page.getByRole("navigation", { name: "Main" });
    await menu.getByRole("link", { name: "Nudgelight Mini" }).press("Enter");
    await page.getByRole("heading", { name: "Nudgelight Mini", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Open menu" }).waitFor();
  });
});
