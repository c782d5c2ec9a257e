// Cart links of other sites, such as `/cart?add=nudgelight-one:2`: a question that adds nothing without an answer.
import assert from "node:assert/strict";
import { violationsOf } from "./axe.mjs";
import { test } from "./fixtures.mjs";
import { addsToCart, arrivesAt, sees } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */

const ONE = "Nudgelight One";
const DUO = "Nudgelight Duo";

/** @param {Page} page @param {string | RegExp} title */
async function isAsked(page, title) {
  const dialog = page.getByRole("dialog", { name: title });
  await dialog.waitFor();
  return dialog;
}

/** @param {Page} page */
async function isNotAsked(page) {
  await page.locator("header").getByTestId("cart-count").waitFor({ state: "attached" });
  assert.equal(await page.getByRole("dialog").count(), 0);
}

/** The stored cart: slugs and quantities. @param {Page} page */
function storedCart(page) {
  return page.evaluate(() => {
    /** @type {{ slug: string, quantity: number }[]} */
    const lines = JSON.parse(localStorage.getItem("cart") ?? "[]");
    return lines.map(({ slug, quantity }) => `${slug}:${quantity}`);
  });
}

test("a link on the first visit asks, and neither a reload nor Back asks again", async ({ newVisitor }) => {
  const { page, browserErrors } = await newVisitor();
  await page.goto("/about");
  await page.goto("/cart?add=nudgelight-one:2");
  const dialog = await isAsked(page, `Add 2 ${ONE} to your cart?`);
  assert.deepEqual(await storedCart(page), []);
  await dialog.getByRole("button", { name: "Add to Cart" }).click();
  await page.waitForURL((url) => url.pathname === "/cart" && url.search === "");
  await sees(page, ONE);
  assert.deepEqual(await storedCart(page), ["nudgelight-one:2"]);
  await page.reload();
  await sees(page, ONE);
  await isNotAsked(page);
  await page.goBack();
  await arrivesAt(page, "/about");
  await page.goForward();
  await arrivesAt(page, "/cart");
  await isNotAsked(page);
  assert.deepEqual(await storedCart(page), ["nudgelight-one:2"]);
  assert.deepEqual(browserErrors, []);
});

test("the question is answered by keyboard, which stays inside it", async ({ newVisitor }) => {
  const { page } = await newVisitor();
  await page.goto("/cart?add=nudgelight-duo:1");
  const dialog = await isAsked(page, `Add 1 ${DUO} to your cart?`);
  for (let press = 0; press < 7; press += 1) {
    assert.ok(await dialog.evaluate((element) => element.contains(document.activeElement)));
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Escape");
  await arrivesAt(page, "/cart");
  await sees(page, "Your cart is empty.");
  assert.ok(await page.getByRole("heading", { level: 1 }).evaluate((h1) => h1 === document.activeElement));

  await page.goto("/cart?add=nudgelight-duo:1");
  await isAsked(page, `Add 1 ${DUO} to your cart?`);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByTestId("cart-count").filter({ hasText: /^1/ }).waitFor();
  assert.deepEqual(await storedCart(page), ["nudgelight-duo:1"]);
});

test("a link adds to the cart what the stock allows, and says why not the rest", async ({ newVisitor }) => {
  const { page } = await newVisitor();
  await addsToCart(page, ONE, 3);
  await page.goto("/cart?add=nudgelight-one:99&add=nudgelight-duo:1,unknown:1,nonsense:x");
  const dialog = await isAsked(page, "Add 2 products to your cart?");
  await dialog.getByText("One product in the link isn’t available.").waitFor();
  await dialog.getByText("One entry in the link couldn’t be read.").waitFor();
  const shortage = await dialog.getByText(`${ONE}: `).innerText();
  assert.match(shortage, /^Nudgelight One: (Only \d+ left|At most 99 per order)\. Your cart already has 3\.$/);
  await dialog.getByRole("button", { name: "Add to Cart" }).click();
  await sees(page, DUO);
  const [one, duo] = await storedCart(page);
  const most = /\d+/.exec(shortage)?.[0];
  assert.deepEqual([one, duo], [`nudgelight-one:${most}`, "nudgelight-duo:1"]);
});

test("a link as long as the shop takes shows what can be added", async ({ newVisitor }) => {
  const { page } = await newVisitor();
  const entries = Array.from({ length: 2_000 }, (_, index) => (index === 7 ? "nudgelight-one" : index.toString(36)));
  await page.goto(`/cart?add=${entries.join(",").slice(0, 8_000)}`);
  const dialog = await isAsked(page, `Add 1 ${ONE} to your cart?`);
  await dialog.getByText("49 products in the link aren’t available.").waitFor();
  await dialog.getByText("A link can add at most 50 products. The rest were left out.").waitFor();
});

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  for (const width of [390, 1440]) {
    test(`the question has no accessibility violation in ${colorScheme} at ${width}`, async ({ newVisitor }) => {
      const viewport = { width, height: 844 };
      const { page } = await newVisitor({ viewport, colorScheme, reducedMotion: "reduce" });
      for (const [link, title] of /** @type {const} */ ([
        ["nudgelight-one:2", `Add 2 ${ONE} to your cart?`],
        ["nudgelight-one:2,nudgelight-duo:999,unknown", "Add 2 products to your cart?"],
        ["unknown:1,nonsense:x", "Nothing to add to your cart"],
      ])) {
        await page.goto(`/cart?add=${link}`);
        const dialog = await isAsked(page, title);
        assert.deepEqual(await violationsOf(page), []);
        const box = await dialog.boundingBox();
        assert.ok(box && box.x >= 0 && box.x + box.width <= width, `${link}: ${JSON.stringify(box)}`);
      }
    });
  }
}
