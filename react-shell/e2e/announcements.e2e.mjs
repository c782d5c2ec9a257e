// Screen readers announce what changes in a live region. So each region is on the page before its text.
import assert from "node:assert/strict";
import { test } from "./fixtures.mjs";
import { buysFor } from "./orders.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { addsToCart, DECLINED, goesToPayment, logsIn, paysWith, sees } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {{ text: string, role: string }} Announcement */

/**
 * Records each change of visible text in a live region. A region that appears with its text is none: screen readers do
 * not announce it reliably. To be called before the page is opened.
 *
 * @param {Page} page
 */
async function listens(page) {
  await page.addInitScript(() => {
    const REGIONS = "[role=status], [role=alert], [aria-live]";
    /** @type {Map<Element, string>} */
    const known = new Map();
    /** @type {Announcement[]} */
    const announced = [];
    Object.assign(globalThis, { announced });
    function look() {
      for (const region of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(REGIONS))) {
        // innerText leaves out what is not visible.
        const text = region.innerText.trim();
        const before = known.get(region);
        known.set(region, text);
        const role = region.getAttribute("role") ?? region.getAttribute("aria-live") ?? "";
        if (before !== undefined && before !== text && text !== "") announced.push({ text, role });
      }
    }
    const options = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(look).observe(document, options);
  });
}

/** Waits until a live region with this role announces a text. @param {Page} page @param {string} role @param {string} text */
async function hears(page, role, text) {
  const found = await page
    .waitForFunction(
      ([wantedRole, wantedText]) =>
        /** @type {Announcement[]} */ (Reflect.get(globalThis, "announced")).some(
          (it) => it.role === wantedRole && it.text.includes(wantedText),
        ),
      /** @type {[string, string]} */ ([role, text]),
      { timeout: 5_000 },
    )
    .catch(() => undefined);
  const announced = await page.evaluate(() => JSON.stringify(Reflect.get(globalThis, "announced")));
  assert.ok(found, `no ${role} announces “${text}”, only ${announced}`);
}

test.describe("a screen reader announces", () => {
  test("what was added to the cart and removed from it, and who has to log in", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await listens(page);
    await addsToCart(page, "Nudgelight One", 1);
    await hears(page, "status", "Nudgelight One was added to your cart.");
    await page.goto("/cart");
    await page.getByRole("button", { name: "Proceed to Checkout" }).click();
    await hears(page, "alert", "log in or create an account");
    await page.getByLabel("Quantity of Nudgelight One").fill("100");
    await hears(page, "polite", "Enter a quantity from 1 to 99");
    await page.getByRole("button", { name: "Remove Nudgelight One" }).click();
    await hears(page, "status", "Nudgelight One was removed from your cart.");
  });

  test("how many orders a filter finds", async ({ newVisitor }) => {
    const customer = await newVisitor();
    await listens(customer.page);
    await logsIn(customer.page, "customer@nudgelight.example", DEMO_PASSWORD);
    await buysFor(customer.page, "Nudgelight One", ["Eve Filter"]);
    await customer.page.goto("/profile/orders");
    await customer.page.getByRole("table").waitFor();
    await customer.page.getByLabel("To").fill("2020-01-01");
    await customer.page.getByRole("button", { name: "Filter" }).click();
    await hears(customer.page, "status", "0 orders found.");
    const admin = await newVisitor();
    await listens(admin.page);
    await logsIn(admin.page, "admin@nudgelight.example", DEMO_PASSWORD);
    await admin.page.goto("/admin/orders?q=Nobody");
    await sees(admin.page, "No orders found for the selected criteria.");
    await admin.page.getByLabel(/^Search/).fill("Eve Filter");
    await admin.page.getByRole("button", { name: "Filter" }).click();
    await hears(admin.page, "status", "1 order found.");
  });

  test("what is wrong, and what was saved", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await listens(page);
    await page.goto("/login");
    await page.getByLabel("Email").fill("customer@nudgelight.example");
    await page.getByLabel("Password", { exact: true }).fill("not this one at all");
    await page.locator("main").getByRole("button", { name: "Login" }).click();
    await hears(page, "alert", "Incorrect email or password.");
    await logsIn(page, "customer@nudgelight.example", DEMO_PASSWORD);
    await addsToCart(page, "Nudgelight Mini", 1);
    await goesToPayment(page);
    await paysWith(page, DECLINED);
    await hears(page, "alert", "You weren’t charged.");
    const [order] = await buysFor(page, "Nudgelight One", ["Eve Saved"]);
    const admin = await newVisitor();
    await listens(admin.page);
    await logsIn(admin.page, "admin@nudgelight.example", DEMO_PASSWORD);
    await admin.page.goto(`/admin/order/${order}`);
    await admin.page.getByRole("button", { name: "Mark as Processing" }).click();
    await hears(admin.page, "status", "Changes saved.");
  });
});
