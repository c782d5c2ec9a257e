import assert from "node:assert/strict";
import { expectRejection, test } from "./fixtures.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import {
  ACCEPTED,
  addsToCart,
  arrivesAt,
  arrivesAtSuccess,
  ASKS_THE_BANK,
  goesToPayment,
  logsIn,
  paysWith,
  sees,
} from "./steps.mjs";

const CUSTOMER = "customer@nudgelight.example";
const LOGGED_OUT = "You were logged out. Log in to continue.";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("./fixtures.mjs").Visitor} Visitor */
/** @typedef {import("./fixtures.mjs").NewVisitor} NewVisitor */

/** @type {Visitor} */
let ada;

test.beforeEach(async ({ newVisitor }) => {
  ada = await newVisitor();
});

/** Submits the login form on the current page. @param {Page} page */
async function logsInHere(page) {
  await page.getByLabel("Email").fill(CUSTOMER);
  await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
}

/** Ends all other sessions, from another browser. @param {NewVisitor} newVisitor */
async function endsTheSessionElsewhere(newVisitor) {
  const other = await newVisitor();
  await logsIn(other.page, CUSTOMER, DEMO_PASSWORD);
  await other.page.goto("/profile");
  await other.page.getByRole("button", { name: "Log Out Everywhere Else" }).click();
  await sees(other.page, "logged out");
  await other.context.close();
}

/** @param {Page} page @param {RegExp} count */
async function countsInCart(page, count) {
  await page.getByTestId("cart-count").filter({ hasText: count }).waitFor();
}

test.describe("a session that was ended elsewhere", () => {
  test("is noticed when the customer pays, and the payment ends on its success page after the login", async ({
    newVisitor,
  }) => {
    const { page, browserErrors } = ada;
    await logsIn(page, CUSTOMER, DEMO_PASSWORD);
    await addsToCart(page, "Nudgelight One", 1);
    await goesToPayment(page);
    await endsTheSessionElsewhere(newVisitor);
    await paysWith(page, ACCEPTED);
    await arrivesAt(page, "/login");
    await sees(page, LOGGED_OUT);
    await logsInHere(page);
    await arrivesAtSuccess(page);
    await countsInCart(page, /^0/);
    expectRejection(browserErrors, 401, "/api/orders");
    expectRejection(browserErrors, 401, "/api/auth/refresh-token");
    assert.deepEqual(browserErrors, []);
  });

  test("is noticed in the address step, which is still filled in after the login", async ({ newVisitor }) => {
    const { page } = ada;
    await logsIn(page, CUSTOMER, DEMO_PASSWORD);
    await addsToCart(page, "Nudgelight One", 1);
    await goesToPayment(page);
    await page.getByRole("link", { name: /^Edit/ }).click();
    await page.getByLabel("City").fill("Pasadena");
    await endsTheSessionElsewhere(newVisitor);
    await page.getByRole("button", { name: "Continue to Payment" }).click();
    await sees(page, LOGGED_OUT);
    await logsInHere(page);
    await arrivesAt(page, "/checkout?step=address");
    assert.equal(await page.getByLabel("City").inputValue(), "Pasadena");
  });
});

test.describe("a tab that is closed after paying", () => {
  test("leaves an order: the next visit tells of it, and what another tab added stays in the cart", async () => {
    const { page, context, browserErrors } = ada;
    await logsIn(page, CUSTOMER, DEMO_PASSWORD);
    await addsToCart(page, "Nudgelight One", 2);
    await goesToPayment(page);
    const other = await context.newPage();
    await addsToCart(other, "Nudgelight Mini", 1);

    // The tab closes before its request reaches the server, so the webhook creates the order.
    const asked = new Promise((resolve) => void page.route("**/api/orders", resolve));
    await paysWith(page, ACCEPTED);
    await asked;
    await page.close();

    await other.goto("/");
    const link = other.getByRole("link", { name: /^Order \d+$/ });
    await link.waitFor();
    await sees(other, `${await link.innerText()} has been placed.`);
    await countsInCart(other, /^1/);
    await link.click();
    await other.getByRole("heading", { name: /^Order \d+$/, level: 1 }).waitFor();
    await sees(other, "Nudgelight One");

    await other.goto("/cart");
    assert.equal(await other.getByLabel("Quantity of Nudgelight Mini").inputValue(), "1");
    assert.equal(await other.getByText("has been placed.").count(), 0, "told once");
    assert.deepEqual(browserErrors, []);
  });
});

test.describe("a bank's page that says no", () => {
  test("leads back to the payment, without the payment's secret in the address", async () => {
    const { page } = ada;
    await logsIn(page, CUSTOMER, DEMO_PASSWORD);
    await addsToCart(page, "Nudgelight One", 1);
    await goesToPayment(page);
    await paysWith(page, ASKS_THE_BANK);
    await page.waitForURL(/test-stripe/);
    await page.getByRole("button", { name: /fail|deny|decline/i }).click();
    await sees(page, "The payment wasn’t completed. Try again or use another card.");
    const { pathname, search } = new URL(page.url());
    assert.equal(pathname + search, "/checkout?step=payment");
    await paysWith(page, ACCEPTED);
    await arrivesAtSuccess(page);
  });
});

test.describe("the way to log in", () => {
  test("leads from the cart's warning to the checkout, even when the button bounces", async () => {
    const { page, browserErrors } = ada;
    await addsToCart(page, "Nudgelight One", 1);
    await page
      .getByRole("link", { name: /View Cart/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Proceed to Checkout" }).click();
    await page.getByRole("alert").getByRole("link", { name: "log in" }).click();
    await page.getByLabel("Email").fill(CUSTOMER);
    await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
    await page.getByRole("button", { name: "Login" }).dblclick();
    await arrivesAt(page, "/checkout");
    await page.getByLabel("Full Name").waitFor();
    assert.deepEqual(browserErrors, []);
  });

  test("leads home once the person went elsewhere instead", async () => {
    const { page } = ada;
    await page.goto("/profile/settings");
    await arrivesAt(page, "/login");
    await page.getByRole("link", { name: "About" }).first().click();
    await page.getByRole("heading", { level: 1, name: /^About/ }).waitFor();
    await page.getByRole("link", { name: "Login" }).first().click();
    await arrivesAt(page, "/login");
    await logsInHere(page);
    await arrivesAt(page, "/");
  });

  test("goes on from a registration whose button bounces", async () => {
    const { page, browserErrors } = ada;
    const email = `bouncing.${Date.now()}@example.com`;
    await page.goto("/register");
    await page.getByLabel("Email", { exact: true }).fill(email);
    await page.getByLabel("Confirm Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill("four small lamps in a row");
    await page.getByLabel("Confirm Password").fill("four small lamps in a row");
    await page.getByRole("button", { name: "Register" }).dblclick();
    await page.getByRole("button", { name: "Register" }).click({ force: true });
    await arrivesAt(page, "/confirm-email");
    assert.deepEqual(browserErrors, []);
  });
});

test("a link that is followed offline keeps the page and what was typed, until the connection is back", async () => {
  const { page, context, browserErrors } = ada;
  await logsIn(page, CUSTOMER, DEMO_PASSWORD);
  await addsToCart(page, "Nudgelight One", 1);
  await page.goto("/checkout");
  await page.getByLabel("City").fill("Pasadena");
  await context.setOffline(true);
  await page.getByRole("link", { name: "View Cart" }).click();
  await sees(page, "You’re offline, so this page stays open.");
  assert.equal(await page.getByLabel("City").inputValue(), "Pasadena");
  await context.setOffline(false);
  await page.getByText("You’re offline").waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "View Cart" }).click();
  await arrivesAt(page, "/cart");
  assert.deepEqual(browserErrors, []);
});
