import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { HtmlValidate } from "html-validate";
import { launch, person, required } from "./browser.mjs";
import { buysFor } from "./orders.mjs";
import { addsToCart, fillsInAddress, goesToPayment, logsIn } from "./steps.mjs";

/** @typedef {import("playwright-core").Page} Page */

const SHOP_URL = required("SHOP_URL");
const DEMO_PASSWORD = required("SHOP_DEMO_PASSWORD");
// The shop's files come from the shop itself, so they need no checksum of their own.
const validator = new HtmlValidate({
  extends: ["html-validate:standard", "html-validate:document"],
  rules: { "require-sri": "off" },
});

/** @type {import("playwright-core").Browser} */
let browser;

before(async () => {
  browser = await launch();
});

after(() => browser.close());

/** @param {string} html */
async function errors(html) {
  const report = await validator.validateString(html);
  const messages = report.results.flatMap((result) => result.messages);
  return messages.map(({ ruleId, message, line, column }) => `${ruleId} at ${line}:${column}: ${message}`);
}

/** The page as the shell has made it. @param {Page} page */
async function isValid(page) {
  // What the bot check's widget puts into itself is its maker's.
  const html = (await page.content()).replace(/(<altcha-widget[^>]*>)[^]*(?=<\/altcha-widget>)/, "$1");
  assert.deepEqual(await errors(html), [], page.url());
  // The standard: a required choice begins with an empty option, or nothing is asked for.
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
  // The server's own page is gone.
  await page.waitForFunction(() => document.querySelector("main[data-view]") === null);
}

const PUBLIC = [
  "/",
  "/about",
  "/products",
  "/products/nudgelight-one",
  "/products/nothing-of-that-name",
  "/nothing-of-that-name",
  "/cart",
  "/register",
  "/login",
  "/confirm-email",
  "/forgot-password",
  "/confirm-forgot-password?email=ada@example.com",
  "/tutorial",
  "/contact",
  "/privacy",
  "/terms",
  "/shipping-and-returns",
];

describe("the HTML is valid", () => {
  for (const path of PUBLIC)
    test(`of ${path}, from the server and from the shell`, async () => {
      const response = await fetch(new URL(path, SHOP_URL));
      assert.deepEqual(await errors(await response.text()), []);
      const { page, context } = await person(browser);
      await opens(page, path);
      await isValid(page);
      await context.close();
    });

  test("of the cart, both steps of the checkout and the account", async () => {
    const { page, context } = await person(browser);
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
    await buysFor(page, "Nudgelight One", ["Ada Lovelace"]);
    await context.close();
  });

  test("of the admin area", async () => {
    const { page, context } = await person(browser);
    await logsIn(page, "admin@nudgelight.example", DEMO_PASSWORD);
    await opens(page, "/admin/overview");
    await page.getByRole("table").first().waitFor({ state: "attached" });
    await isValid(page);
    await opens(page, "/admin/products");
    await page.getByRole("button", { name: "Edit Nudgelight One" }).click();
    await isValid(page);
    await opens(page, "/admin/orders");
    await page.getByRole("columnheader", { name: "Customer" }).waitFor();
    await isValid(page);
    await page
      .getByRole("link", { name: /^\d{4,}$/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Edit Order" }).click();
    await isValid(page);
    await context.close();
  });
});
