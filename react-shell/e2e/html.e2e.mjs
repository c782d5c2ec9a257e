import assert from "node:assert/strict";
import { HtmlValidate } from "html-validate";
import { test } from "./fixtures.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { buysFor } from "./orders.mjs";
import { PUBLIC } from "./routes.mjs";
import { addsToCart, fillsInAddress, goesToPayment, logsIn } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */

// Same-origin files need no subresource integrity.
const validator = new HtmlValidate({
  extends: ["html-validate:standard", "html-validate:document"],
  rules: { "require-sri": "off" },
});

/** @param {string} html */
async function errors(html) {
  const report = await validator.validateString(html);
  const messages = report.results.flatMap((result) => result.messages);
  return messages.map(({ ruleId, message, line, column }) => `${ruleId} at ${line}:${column}: ${message}`);
}

/** Validates the page as rendered by the shell. @param {Page} page */
async function isValid(page) {
  const html = (await page.content())
    // The content of the third-party bot check widget is not validated.
    .replace(/(<altcha-widget[^>]*>)[^]*(?=<\/altcha-widget>)/, "$1")
    // The Lab's text field has a marker of its view, a comment, which would be text if the document were read again.
    .replace("<!----></textarea>", "</textarea>");
  assert.deepEqual(await errors(html), [], page.url());
  // HTML standard: the first option of a required select is empty.
  const preset = await page
    .locator("select[required]")
    .evaluateAll((found) =>
      found
        .filter((select) => select instanceof HTMLSelectElement && select.options[0]?.value !== "")
        .map((select) => select.outerHTML),
    );
  assert.deepEqual(preset, [], page.url());
}

/** @param {Page} page @param {string} path */
async function opens(page, path) {
  await page.goto(path);
  await page.locator("h1").waitFor();
  await page.waitForLoadState();
  // The shell has replaced the server-rendered page.
  await page.waitForFunction(() => document.querySelector("main[data-view]") === null);
}

test.describe("the HTML is valid", () => {
  for (const path of [...PUBLIC, "/nothing-of-that-name"])
    test(`of ${path}, from the server and from the shell`, async ({ newVisitor, shop }) => {
      const response = await fetch(new URL(path, shop.url));
      assert.deepEqual(await errors(await response.text()), []);
      const { page } = await newVisitor();
      await opens(page, path);
      await isValid(page);
    });

  test("of the cart, both steps of the checkout and the account", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await logsIn(page, "customer@nudgelight.example", DEMO_PASSWORD);
    await addsToCart(page, "Nudgelight Mini", 1);
    await opens(page, "/cart");
    await isValid(page);
    await opens(page, "/checkout");
    await fillsInAddress(page);
    await isValid(page);
    await goesToPayment(page);
    await isValid(page);
    for (const path of ["/profile", "/profile/orders", "/profile/settings"]) {
      await opens(page, path);
      await isValid(page);
    }
  });

  test("of the admin area", async ({ newVisitor }) => {
    const customer = await newVisitor();
    await logsIn(customer.page, "customer@nudgelight.example", DEMO_PASSWORD);
    await buysFor(customer.page, "Nudgelight One", ["Ada Lovelace"]);
    const { page } = await newVisitor();
    await logsIn(page, "admin@nudgelight.example", DEMO_PASSWORD);
    await opens(page, "/admin/overview");
    await page.getByRole("table").first().waitFor({ state: "attached" });
    await isValid(page);
    await opens(page, "/admin/products");
    await page.getByRole("button", { name: "Edit Nudgelight One" }).click();
    await isValid(page);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Stock history of Nudgelight One" }).click();
    await page.getByRole("heading", { name: "Movements" }).waitFor();
    await isValid(page);
    await opens(page, "/admin/customers?q=customer");
    await page.getByRole("link", { name: "customer@nudgelight.example" }).click();
    await page.getByRole("heading", { name: "Emails" }).waitFor();
    await isValid(page);
    await opens(page, "/admin/money");
    await page.getByRole("heading", { name: /Payouts|No payouts yet/ }).waitFor();
    await isValid(page);
    await opens(page, "/admin/taxes");
    await isValid(page);
    await opens(page, "/admin/health");
    await page.getByRole("heading", { name: "Waiting work" }).waitFor();
    await isValid(page);
    await opens(page, "/admin/settings");
    await page.getByRole("heading", { name: "Policies" }).waitFor();
    await isValid(page);
    await opens(page, "/admin/orders");
    await page.getByRole("columnheader", { name: "Customer" }).waitFor();
    await isValid(page);
    await page.getByRole("link", { name: "Packing Slips" }).click();
    await page.getByRole("heading", { name: "Pick list" }).waitFor();
    await isValid(page);
    await page.goBack();
    await page
      .getByRole("link", { name: /^\d{4,}$/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Edit Order" }).click();
    await isValid(page);
  });
});
