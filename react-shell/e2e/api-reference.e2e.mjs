// The API reference at /docs: accessible, and a client that sends requests to the shop only.
import assert from "node:assert/strict";
import { violationsOf } from "./axe.mjs";
import { expectRejection, test } from "./fixtures.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { logsIn } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */

/** Opens the reference with one operation expanded by keyboard. @param {Page} page */
async function opensOrderList(page) {
  await page.goto("/docs");
  const operation = page.locator("#operations-Orders-listOwnOrders");
  await operation.locator(".opblock-summary-control").press("Enter");
  await operation.getByRole("button", { name: "Try it out" }).press("Enter");
  return operation;
}

/** @param {Page} page @param {string} token */
async function authorizes(page, token) {
  await page.getByRole("button", { name: "Authorize", exact: true }).first().press("Enter");
  const dialog = page.locator(".modal-ux");
  await dialog.getByRole("textbox").first().fill(token);
  await dialog.getByRole("textbox").first().press("Enter");
  await dialog.getByText("Authorized", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
}

test.describe("the API reference", () => {
  test("sends requests with a pasted access token, and to the shop only", async ({ newVisitor, shop }) => {
    const { page, browserErrors } = await newVisitor();
    // The body is gone once the login has led to another page.
    const login = page
      .waitForResponse((response) => response.url().endsWith("/api/auth/login"))
      .then((response) => response.json());
    await logsIn(page, "customer@nudgelight.example", DEMO_PASSWORD);
    const { accessToken } = await login;

    /** @type {string[]} */
    const elsewhere = [];
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(`${shop.url}/`) && !url.startsWith("data:")) elsewhere.push(url);
    });
    const operation = await opensOrderList(page);
    const status = operation.locator(".live-responses-table .response-col_status");
    await operation.getByRole("button", { name: "Execute" }).press("Enter");
    await status.getByText("401").waitFor();
    expectRejection(browserErrors, 401, "/api/user/orders");

    await authorizes(page, accessToken);
    await operation.getByRole("button", { name: "Execute" }).press("Enter");
    await status.getByText("200").waitFor();
    await operation.getByText('"totalPages"').first().waitFor();
    assert.deepEqual(browserErrors, []);
    assert.deepEqual(elsewhere, []);
  });

  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    for (const width of [390, 1440]) {
      test(`has no accessibility violation in ${colorScheme} at ${width}`, async ({ newVisitor }) => {
        const viewport = { width, height: 900 };
        const { page } = await newVisitor({ viewport, colorScheme, reducedMotion: "reduce" });
        const operation = await opensOrderList(page);
        await operation.getByRole("button", { name: "Execute" }).click();
        await operation.locator(".live-responses-table").waitFor();
        const payment = page.locator("#operations-Checkout-createPaymentIntent");
        await payment.locator(".opblock-summary-control").click();
        await payment.getByRole("button", { name: "Try it out" }).click();
        assert.deepEqual(withoutResponseTables(await violationsOf(page)), []);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
        await page.getByRole("button", { name: "Authorize", exact: true }).first().click();
        await page.locator(".modal-ux").waitFor();
        assert.deepEqual(withoutResponseTables(await violationsOf(page)), []);
      });
    }
  }

  test("without JavaScript names the document", async ({ newVisitor }) => {
    const { page } = await newVisitor({ javaScriptEnabled: false });
    await page.goto("/docs");
    await page.getByRole("link", { name: "/openapi.json" }).waitFor();
  });
});

/** Swagger UI gives each table of responses the role `region` without a name. @param {string[]} violations */
function withoutResponseTables(violations) {
  return violations.filter(
    (violation) => !/^landmark-unique: <table [^>]*class="responses-table"[^>]*>$/.test(violation),
  );
}
