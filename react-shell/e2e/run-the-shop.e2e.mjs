import assert from "node:assert/strict";
import { expectRejection, test } from "./fixtures.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { addsToCart, arrivesAt, goesToPayment, logsIn, sees } from "./steps.mjs";

const NEW_PRODUCT = `Nudgelight No. ${Date.now()}`;

/** @typedef {import("./fixtures.mjs").Visitor} Visitor */
/** @typedef {import("./fixtures.mjs").NewVisitor} NewVisitor */

// The second test changes the product that the first one adds.
test.describe.configure({ mode: "serial" });

/** Fails on any browser error. @param {NewVisitor} newVisitor @param {(visitor: Visitor) => Promise<void>} work */
async function withoutErrors(newVisitor, work) {
  const who = await newVisitor();
  await work(who);
  assert.deepEqual(who.browserErrors, []);
}

test.describe("the shop is run", () => {
  // spec: products (add, change stock)
  // spec: list products, add products, change stock
  test("an administrator adds a product, and visitors find it in the menu", ({ newVisitor }) =>
    withoutErrors(newVisitor, async ({ page }) => {
      await logsIn(page, "admin@nudgelight.example", DEMO_PASSWORD);
      await page.goto("/admin/products");
      await page.getByRole("button", { name: "Add Product" }).click();
      await page.getByLabel("Name").fill(NEW_PRODUCT);
      await page.getByLabel("Description").fill("A light for the tests.");
      await page.getByLabel("Price (US dollars)").fill("12.34");
      await page.getByLabel("Stock", { exact: true }).fill("3");
      await page.getByLabel("Weight (pounds)").fill("0.5");
      await page.getByRole("button", { name: "Add Product" }).click();
      await sees(page, `${NEW_PRODUCT} was added.`);
      await addsToCart(page, NEW_PRODUCT, 2);
      await sees(page, "Low Stock");
    }));

  test("a new stock is saved in its row, and the product page follows", ({ newVisitor }) =>
    withoutErrors(newVisitor, async ({ page }) => {
      await logsIn(page, "admin@nudgelight.example", DEMO_PASSWORD);
      await page.goto("/admin/products");
      const stock = page.getByLabel(`Stock of ${NEW_PRODUCT}`);
      await stock.fill("0");
      await page.getByRole("button", { name: `Save the stock of ${NEW_PRODUCT}` }).click();
      await page.getByRole("button", { name: `Save the stock of ${NEW_PRODUCT}` }).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Products" }).click();
      await page.getByRole("menuitem", { name: NEW_PRODUCT }).click();
      await sees(page, "Out of Stock");
      assert.ok(await page.getByRole("button", { name: "Add to Cart" }).isDisabled());
    }));

  // spec: an InsufficientStockError with details gives the same stock message
  test("what sells out between cart and checkout is named", async ({ newVisitor }) => {
    const who = await newVisitor();
    const { page } = who;
    await logsIn(page, "customer@nudgelight.example", DEMO_PASSWORD);
    await addsToCart(page, "Nudgelight Duo", 1);
    await page.evaluate(() => {
      const cart = JSON.parse(localStorage.getItem("cart") ?? "[]");
      cart[0].quantity = 99;
      cart[0].available = 99;
      localStorage.setItem("cart", JSON.stringify(cart));
    });
    await assert.rejects(goesToPayment(page));
    await sees(page, "Insufficient stock for Nudgelight Duo. Available:");
    expectRejection(who.browserErrors, 409, "/api/payments/create-intent");
    assert.deepEqual(who.browserErrors, []);
  });

  test("the admin area sends visitors to the login and customers home", ({ newVisitor }) =>
    withoutErrors(newVisitor, async ({ page }) => {
      await opensFromAbout(page, "/admin/orders");
      await page.getByLabel("Email").waitFor();
      await arrivesAt(page, "/login");
      await logsIn(page, "customer@nudgelight.example", DEMO_PASSWORD);
      await page.getByRole("link", { name: "My Account" }).waitFor();
      await opensFromAbout(page, "/admin/products");
      await page.getByRole("heading", { name: "Welcome to Nudgelight" }).waitFor();
      await arrivesAt(page, "/");
    }));

  // spec: Account area with tabs: index (Profile), orders, settings
  test("an account's pages are there: profile, orders, settings; and Logout leaves", ({ newVisitor }) =>
    withoutErrors(newVisitor, async ({ page }) => {
      await logsIn(page, "customer@nudgelight.example", DEMO_PASSWORD);
      await page.getByRole("link", { name: "My Account" }).click();
      await sees(page, "customer@nudgelight.example");
      await page.getByRole("link", { name: "Orders" }).click();
      await arrivesAt(page, "/profile/orders");
      await page.getByRole("link", { name: "Settings" }).click();
      await page.getByLabel("Current Password").waitFor();
      await page.getByRole("button", { name: "Logout" }).click();
      await page.getByRole("link", { name: "Login" }).waitFor();
      assert.equal(await page.evaluate(() => localStorage.getItem("refreshToken")), null);
    }));

  test("a session survives a reload, and ends in all tabs at once", ({ newVisitor }) =>
    withoutErrors(newVisitor, async ({ page, context }) => {
      await logsIn(page, "customer@nudgelight.example", DEMO_PASSWORD);
      const second = await context.newPage();
      await second.goto("/profile");
      await sees(second, "customer@nudgelight.example");
      await page.reload();
      await page.getByRole("button", { name: "Logout" }).click();
      await arrivesAt(second, "/login");
    }));

  test("two tabs whose tokens are due renew them once", ({ newVisitor }) =>
    withoutErrors(newVisitor, async ({ page, context }) => {
      await logsIn(page, "customer@nudgelight.example", DEMO_PASSWORD);
      /** @type {string[]} */
      const renewals = [];
      context.on("request", (request) => {
        if (request.url().endsWith("/api/auth/refresh-token")) renewals.push(request.url());
      });
      await page.evaluate(() => {
        const token = localStorage.getItem("accessToken") ?? "";
        localStorage.setItem("accessTokenEndsAt", `${token.slice(-16)} ${Date.now() + 63_000}`);
      });
      const second = await context.newPage();
      await Promise.all([page.reload(), second.goto("/about")]);
      await page.waitForTimeout(6_000);
      assert.equal(renewals.length, 1);
      const tokens = await Promise.all(
        [page, second].map((tab) => tab.evaluate(() => localStorage.getItem("accessToken"))),
      );
      assert.equal(tokens[0], tokens[1]);
      await page.goto("/profile");
      await sees(page, "customer@nudgelight.example");
    }));

  test("an unknown address shows the home page", async ({ newVisitor }) => {
    const who = await newVisitor();
    await who.page.goto("/no-such-page");
    await who.page.getByRole("heading", { name: /Nudgelight/, level: 1 }).waitFor();
    expectRejection(who.browserErrors, 404, "/no-such-page");
    assert.deepEqual(who.browserErrors, []);
  });
});

/**
 * Opens a page whose guard leads to another document before it has loaded: `goto` would fail as interrupted.
 * @param {import("@playwright/test").Page} page @param {string} path
 */
async function opensFromAbout(page, path) {
  if (page.url() === "about:blank") await page.goto("/about");
  else await page.getByRole("link", { name: "About" }).first().click();
  await arrivesAt(page, "/about");
  await page.evaluate((to) => {
    setTimeout(() => location.assign(to));
  }, path);
}
