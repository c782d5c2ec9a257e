import assert from "node:assert/strict";
import { test } from "./fixtures.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { ADDRESS, arrivesAt, arrivesAtSuccess, logsIn } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */

const CUSTOMER = "customer@nudgelight.example";
const TYPED = [ADDRESS.name, ADDRESS.line1, ADDRESS.city, ADDRESS.code];

test.describe("a light is bought", () => {
  test("with six clicks and eight fields, from its page to the order", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await logsIn(page, CUSTOMER, DEMO_PASSWORD);
    await page.goto("/products/nudgelight-mini");
    let clicks = 0;
    /** @param {import("@playwright/test").Locator} target */
    const click = async (target) => {
      await target.click();
      clicks += 1;
    };
    await click(page.getByRole("button", { name: "Add to Cart" }));
    await click(page.getByRole("link", { name: /View Cart/ }).first());
    await click(page.getByRole("button", { name: "Proceed to Checkout" }));
    await page.getByRole("heading", { name: "1. Shipping Address" }).waitFor();
    const ofAddress = await emptyFields(page);
    await fillLikeTheBrowserDoes(page);
    await click(page.getByRole("button", { name: "Continue to Payment" }));
    await page.getByLabel("Card Number").waitFor();
    const ofCard = await emptyFields(page);
    await click(page.getByRole("button", { name: /^4242/ }));
    await click(page.getByRole("button", { name: /^Pay / }));
    await arrivesAtSuccess(page);
    const fields = [...ofAddress, ...ofCard];
    assert.ok(fields.length <= 8, `to fill in: ${fields.join(", ")}`);
    assert.equal(clicks, 6);
  });

  test("by keyboard alone", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await logsIn(page, CUSTOMER, DEMO_PASSWORD);
    await page.goto("/products");
    await tabsTo(page, /^Nudgelight Mini/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Nudgelight Mini", level: 1 }).waitFor();
    await tabsTo(page, /^Add to Cart/);
    await page.keyboard.press("Enter");
    await page.getByText("was added to your cart").first().waitFor();
    await page.goto("/cart");
    await tabsTo(page, /^Proceed to Checkout/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "1. Shipping Address" }).waitFor();
    await typesAddress(page);
    await tabsTo(page, /^Continue to Payment/);
    await page.keyboard.press("Enter");
    await arrivesAt(page, "/checkout?step=payment");
    await page.getByLabel("Card Number").waitFor();
    await tabsTo(page, /^4242/);
    await page.keyboard.press("Enter");
    await tabsTo(page, /^Pay /);
    await page.keyboard.press("Enter");
    await arrivesAtSuccess(page);
  });
});

/** Labels of the empty required fields. @param {Page} page */
function emptyFields(page) {
  return page
    .locator("#page")
    .evaluate((main) =>
      [.../** @type {NodeListOf<HTMLInputElement>} */ (main.querySelectorAll("input, select, textarea"))]
        .filter((field) => field.required && field.checkVisibility() && field.value === "")
        .map((field) => field.labels?.[0]?.textContent ?? field.name),
    );
}

/** Fills in the address by `autocomplete` tokens, as a browser does. @param {Page} page */
async function fillLikeTheBrowserDoes(page) {
  const values = {
    "shipping name": ADDRESS.name,
    "shipping address-line1": ADDRESS.line1,
    "shipping address-level2": ADDRESS.city,
    "shipping postal-code": ADDRESS.code,
  };
  for (const [word, value] of Object.entries(values)) await page.locator(`[autocomplete="${word}"]`).fill(value);
  await page.locator('[autocomplete="shipping address-level1"]').selectOption(ADDRESS.state);
}

/** Presses Tab until an element with this name has the focus. @param {Page} page @param {RegExp} name */
async function tabsTo(page, name) {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
      return (element?.getAttribute("aria-label") ?? label ?? element?.textContent ?? "").trim();
    });
    if (name.test(focused)) return;
  }
  assert.fail(`Tab does not lead to ${name}`);
}

/** Types everything but the state. @param {Page} page */
async function typesAddress(page) {
  await page.locator("h1").focus();
  for (const [index, word] of ["name", "address.line1", "address.city", "address.postal_code"].entries()) {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press("Tab");
      if ((await page.evaluate(() => document.activeElement?.getAttribute("name"))) === word) break;
    }
    await page.keyboard.type(TYPED[index] ?? "");
  }
  assert.equal(await page.getByLabel("State").inputValue(), ADDRESS.state, "the ZIP code fills in the state");
}
