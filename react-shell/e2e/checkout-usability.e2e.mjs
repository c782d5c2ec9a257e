import assert from "node:assert/strict";
import { test } from "./fixtures.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { ADDRESS, arrivesAtSuccess, logsIn } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */

const CUSTOMER = "customer@nudgelight.example";

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
