// The scroll position while the shell starts, and the history around a login.
import assert from "node:assert/strict";
import { test } from "./fixtures.mjs";
import { openElsewhere, PAGES, Y } from "./history.mjs";
import { holdShell, shellIsThere } from "./shell-start.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { addsToCart, arrivesAt, sees } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */

const PHONE = { width: 390, height: 844 };

const CUSTOMER = "customer@nudgelight.example";

/** @param {Page} page */
const position = (page) => page.evaluate(() => Math.round(scrollY));

/** Scrolls, and waits until the browser has done so. @param {Page} page @param {number} y */
async function scrollsTo(page, y) {
  await page.evaluate((top) => scrollTo(0, top), y);
  await page.waitForFunction((top) => Math.abs(scrollY - top) <= 1, y);
}

/** A font that comes in time on one visit and too late on another would break lines elsewhere. @param {Page} page */
const blockFont = (page) => page.route("**/*.woff2", (route) => route.fulfill({ contentType: "font/woff2" }));

/** @param {Page} page @param {string} path */
async function assertPosition(page, path) {
  // A frame after the swap, so that whatever would scroll has done so.
  await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => setTimeout(go, 100))));
  const y = await position(page);
  assert.ok(Math.abs(y - Y) <= 1, `${path}: ${y}`);
}

test.describe("the scroll position", () => {
  for (const path of PAGES) {
    test(`of ${path} stays on a reload, on Back from another site, and while the page starts`, async ({
      newVisitor,
    }) => {
      const elsewhere = await openElsewhere();
      const { page } = await newVisitor({ viewport: PHONE });
      await blockFont(page);
      try {
        await page.goto(path);
        await shellIsThere(page);
        await scrollsTo(page, Y);
        await page.reload();
        await shellIsThere(page);
        await assertPosition(page, `${path} after a reload`);

        await page.goto(elsewhere.url);
        await page.goBack();
        await shellIsThere(page);
        await assertPosition(page, `${path} after Back`);

        const release = await holdShell(page);
        await page.goto("about:blank");
        await page.goto(path);
        await scrollsTo(page, Y);
        release();
        await shellIsThere(page);
        await assertPosition(page, `${path} while it starts`);
      } finally {
        elsewhere.close();
      }
    });
  }

  test("is the top of a page that is new, and the old one on Back", async ({ newVisitor }) => {
    const { page } = await newVisitor({ viewport: PHONE });
    await blockFont(page);
    await page.goto("/");
    await shellIsThere(page);
    await scrollsTo(page, Y);
    await page.evaluate(() =>
      document
        .querySelector("footer a[href='/about']")
        ?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })),
    );
    await arrivesAt(page, "/about");
    await page.waitForFunction(() => scrollY === 0);
    await page.goBack();
    await arrivesAt(page, "/");
    await page.waitForFunction((y) => Math.abs(scrollY - y) <= 1, Y);
  });
});

test.describe("Back", () => {
  test("leads from the checkout to the cart after a login on the way", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await addsToCart(page, "Nudgelight One", 1);
    await page.goto("/cart");
    await page.getByRole("button", { name: "Proceed to Checkout" }).click();
    await page.getByRole("link", { name: "log in", exact: true }).click();
    await arrivesAt(page, "/login");
    await page.getByLabel("Email").fill(CUSTOMER);
    await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
    await page.getByRole("button", { name: "Login" }).click();
    await arrivesAt(page, "/checkout");
    await page.goBack();
    await arrivesAt(page, "/cart");
    await sees(page, "Proceed to Checkout");
  });

  test("leads from a login page that a guard opened to the page before", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await page.goto("/about");
    await page.goto("/profile");
    await arrivesAt(page, "/login");
    await page.getByLabel("Email").waitFor();
    await page.goBack();
    await arrivesAt(page, "/about");
  });
});

test.describe("Add to Cart", () => {
  test("counts if the visitor leaves the page before it has started", async ({ newVisitor }) => {
    const { page } = await newVisitor({ viewport: PHONE });
    const release = await holdShell(page);
    await page.goto("/products/nudgelight-one");
    await page.getByLabel("Quantity", { exact: true }).fill("2");
    await page.getByRole("button", { name: "Add to Cart" }).click();
    release();
    await page.goto("/cart");
    await sees(page, "Nudgelight One");
    assert.match(await page.getByTestId("cart-count").first().innerText(), /^2/);
    await page.reload();
    await sees(page, "Nudgelight One");
    assert.match(await page.getByTestId("cart-count").first().innerText(), /^2/);
  });

  test("counts once for a double click", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await page.goto("/products/nudgelight-one");
    await shellIsThere(page);
    await page.getByRole("button", { name: "Add to Cart" }).dblclick();
    await sees(page, "Nudgelight One was added to your cart.");
    assert.match(await page.getByTestId("cart-count").first().innerText(), /^1/);
  });
});
