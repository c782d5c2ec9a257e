import assert from "node:assert/strict";
import { test } from "./fixtures.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { addsToCart, ADDRESS, arrivesAt, fillsInAddress, logsIn, sees } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */

const ONE = "Nudgelight One";
const DUO = "Nudgelight Duo";

/** Changes the stored cart, as an earlier visit left it. @param {Page} page @param {Record<string, unknown>} change */
async function storesLine(page, change) {
  await page.evaluate((changed) => {
    const [line, ...others] = JSON.parse(localStorage.getItem("cart") ?? "[]");
    localStorage.setItem("cart", JSON.stringify([{ ...line, ...changed }, ...others]));
  }, change);
}

/** The value beside a label of the summary. @param {Page} page @param {string} label */
function valueOf(page, label) {
  return page.locator("dl > div").filter({ hasText: label }).locator("dd").innerText();
}

test("a removed line comes back to its place with its quantity", async ({ newVisitor }) => {
  const { page, browserErrors } = await newVisitor();
  await addsToCart(page, ONE, 3);
  await addsToCart(page, DUO, 1);
  await page.goto("/cart");
  await page.getByRole("button", { name: `Remove ${ONE}` }).click();
  await sees(page, `${ONE} was removed from your cart.`);
  await page.getByTestId("cart-count").filter({ hasText: /^1/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByTestId("cart-count").filter({ hasText: /^4/ }).waitFor();
  const names = await page.getByRole("listitem").getByRole("heading").allInnerTexts();
  assert.deepEqual(names, [ONE, DUO]);
  const field = page.getByLabel(`Quantity of ${ONE}`);
  assert.equal(await field.inputValue(), "3");
  assert.ok(await field.evaluate((input) => input === document.activeElement));
  assert.deepEqual(browserErrors, []);
});

test("the cart says what has changed since the last visit, and sets what is left", async ({ newVisitor }) => {
  const { page } = await newVisitor();
  await addsToCart(page, DUO, 1);
  await storesLine(page, { price: 54.95, quantity: 90, available: 99 });
  await page.goto("/cart");
  await sees(page, "Price changed from $54.95 to");
  const note = await page.getByText(/^Only \d+ left\. You had 90;/).innerText();
  const left = /\d+/.exec(note)?.[0];
  assert.equal(note, `Only ${left} left. You had 90; it’s ${left} now.`);
  assert.equal(await page.getByLabel(`Quantity of ${DUO}`).inputValue(), left);
  await page.reload();
  await sees(page, note);
  await page.getByRole("button", { name: `One fewer ${DUO}` }).click();
  await page.getByText(note).waitFor({ state: "detached" });
});

// New York taxes shipping; Canada has two taxes in Quebec.
test("the estimate is what the checkout charges, and survives a reload", async ({ newVisitor }) => {
  const { page } = await newVisitor();
  await logsIn(page, "customer@nudgelight.example", DEMO_PASSWORD);
  await addsToCart(page, ONE, 2);
  await page.goto("/cart");
  await sees(page, "Choose a state");
  await page.getByText(/^(Order within (\d+ h)? ?(\d+ min)?: arrives|Arrives) [A-Z][a-z]{2} \d+/).waitFor();
  await page.getByLabel("State").selectOption("NY");
  await sees(page, "Estimated total");
  await page.reload();
  await sees(page, "Estimated total");
  const [tax, total] = await Promise.all([valueOf(page, "Estimated tax"), valueOf(page, "Estimated total")]);
  assert.deepEqual([tax, total], ["$2.25", "$58.43"]);

  await page.getByRole("button", { name: "Proceed to Checkout" }).click();
  await arrivesAt(page, "/checkout");
  await fillsInAddress(page);
  await page.getByLabel("State").selectOption("NY");
  await page.getByLabel("ZIP Code").fill("10001");
  await page.getByLabel("City").fill("New York");
  assert.equal(await page.getByLabel("Full Name").inputValue(), ADDRESS.name);
  await page.getByRole("button", { name: "Continue to Payment" }).click();
  await page.getByRole("button", { name: `Pay ${total}` }).waitFor();
});
