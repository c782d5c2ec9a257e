// Notices that vanish keep their specified times, and wait while the pointer or the focus is inside.
import assert from "node:assert/strict";
import { test } from "./fixtures.mjs";
import { buysFor } from "./orders.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { logsIn } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("@playwright/test").Locator} Locator */

/** Notices vanish within this time after their own. */
const TOLERANCE_MS = 900;

/**
 * The notice waits under the pointer and around the focus, and vanishes on time after both.
 *
 * @param {Locator} notice @param {Locator} link a link inside @param {number} lasts milliseconds
 */
async function waits(notice, link, lasts) {
  const page = notice.page();
  await notice.hover();
  await page.waitForTimeout(lasts + TOLERANCE_MS);
  assert.ok(await notice.isVisible(), "waits for the pointer");
  await link.focus();
  await page.mouse.move(1, 1);
  await page.waitForTimeout(lasts + TOLERANCE_MS);
  assert.ok(await notice.isVisible(), "waits for the focus");
  await link.blur();
  await vanishes(notice, lasts);
}

/** @param {Locator} notice @param {number} lasts */
async function vanishes(notice, lasts) {
  const began = Date.now();
  await notice.waitFor({ state: "detached", timeout: lasts + TOLERANCE_MS });
  assert.ok(Date.now() - began > lasts - TOLERANCE_MS, `vanished after ${Date.now() - began} ms`);
}

test.describe("a notice vanishes on time, but never from under the pointer or the focus:", () => {
  test("what was added to the cart, 3 s", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await page.goto("/products/nudgelight-one");
    await page.locator("#root").waitFor({ state: "detached" });
    const add = page.getByRole("button", { name: "Add to Cart" });
    const notice = page.getByText("Nudgelight One was added to your cart.");
    await add.click();
    await notice.waitFor();
    await vanishes(notice, 3_000);
    await add.click();
    await waits(notice, notice.getByRole("link"), 3_000);
  });

  test("who has to log in, 5 s", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await page.goto("/products/nudgelight-one");
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await page.getByText("was added to your cart.").waitFor();
    await page.goto("/cart");
    await page.getByRole("button", { name: "Proceed to Checkout" }).click();
    const notice = page.getByRole("alert").filter({ hasText: "to check out" });
    await notice.waitFor();
    await waits(notice, notice.getByRole("link", { name: "log in" }), 5_000);
  });

  test("whose order it is, 3 s", async ({ newVisitor }) => {
    const admin = await newVisitor();
    await logsIn(admin.page, "admin@nudgelight.example", DEMO_PASSWORD);
    const [order] = await buysFor(admin.page, "Nudgelight One", ["Ada Lovelace"]);
    const { page } = await newVisitor();
    await logsIn(page, "customer@nudgelight.example", DEMO_PASSWORD);
    await page.goto(`/order/${order}`);
    const notice = page.getByRole("alert").filter({ hasText: "You are not authorized to view this order." });
    await waits(notice, page.locator("main").getByRole("link", { name: "All Your Orders" }), 3_000);
    await page.waitForURL("**/profile/orders");
  });
});
