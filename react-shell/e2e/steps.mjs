import assert from "node:assert/strict";

/** @typedef {import("@playwright/test").Page} Page */

export const ADDRESS = {
  name: "Ada Lovelace",
  line1: "12 Front St",
  city: "Los Angeles",
  state: "CA",
  code: "90210",
};

export const ACCEPTED = "4242 4242 4242 4242";
export const DECLINED = "4000 0000 0000 0002";
export const ASKS_THE_BANK = "4000 0025 0000 3155";

/** @param {Page} page @param {string} text */
export function sees(page, text) {
  return page.getByText(text, { exact: false }).filter({ visible: true }).first().waitFor();
}

/** @param {Page} page @param {string} path */
export function arrivesAt(page, path) {
  return page.waitForURL((url) => url.pathname + url.search === path || url.pathname === path);
}

/** Opens a page as the shell renders it, with all of its parts. @param {Page} page @param {string} path */
export async function opens(page, path) {
  await page.goto(path);
  await page.locator("#root").waitFor({ state: "detached" });
  await page.locator("h1").waitFor();
  // The Schedule Lab loads when it is near.
  await page.locator("footer").scrollIntoViewIfNeeded();
  await page.waitForLoadState("networkidle");
}

/** @param {Page} page @param {string} email @param {string} password */
export async function logsIn(page, email, password) {
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login" }).click();
  await arrivesAt(page, "/");
}

/** @param {Page} page @param {string} product @param {number} quantity */
export async function addsToCart(page, product, quantity) {
  await page.goto("/");
  await page.getByRole("button", { name: "Products" }).click();
  await page.getByRole("menuitem", { name: product }).click();
  await page.getByRole("heading", { name: product, level: 1 }).waitFor();
  await page.getByLabel("Quantity", { exact: true }).fill(String(quantity));
  await page.getByRole("button", { name: "Add to Cart" }).click();
  await sees(page, `${product} was added to your cart.`);
}

/** @param {Page} page */
export async function fillsInAddress(page) {
  await page.getByLabel("Full Name").fill(ADDRESS.name);
  await page.getByLabel("Address", { exact: true }).fill(ADDRESS.line1);
  await page.getByLabel("City").fill(ADDRESS.city);
  await page.getByLabel("State").selectOption(ADDRESS.state);
  await page.getByLabel("ZIP Code").fill(ADDRESS.code);
}

/** @param {Page} page @param {string} card */
export async function paysWith(page, card) {
  await page.getByLabel("Card Number").waitFor();
  const button = page.getByRole("button", { name: card });
  if (!(await button.isVisible())) await page.getByRole("button", { name: "Other test cards" }).click();
  await button.click();
  assert.equal(await page.getByLabel("Card Number").inputValue(), card);
  await page.getByRole("button", { name: /^Pay \$/ }).click();
}

/** Goes from a filled cart to the payment step. @param {Page} page */
export async function goesToPayment(page) {
  await page.goto("/checkout");
  await fillsInAddress(page);
  await page.getByRole("button", { name: "Continue to Payment" }).click();
  await arrivesAt(page, "/checkout?step=payment");
  await page.getByRole("button", { name: /^Pay \$/ }).waitFor();
}

/** Returns the order's ID. @param {Page} page */
export async function arrivesAtSuccess(page) {
  await arrivesAt(page, "/checkout/success");
  await page.getByRole("heading", { name: "Thank you for your order" }).waitFor();
  const id = new URL(page.url()).searchParams.get("order_id");
  assert.ok(id, "the URL has the order's ID");
  return id;
}
