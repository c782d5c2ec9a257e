// Every public page with every button pressed once, and every link after the warning to log in: no page breaks.
import assert from "node:assert/strict";
import { pressesEveryButton } from "./every-button.mjs";
import { browserErrors, openFirefox } from "./firefox.mjs";
import { test } from "./fixtures.mjs";
import { addsToCart, sees } from "./steps.mjs";
import { openWebKit } from "./webkit.mjs";

/** @typedef {import("@playwright/test").Page} Page */

/** How long the warning stays, and a little longer. */
const WARNING_MS = 5_500;

test("every button of every public page works in Chromium", async ({ newVisitor }) => {
  const { page, browserErrors: errors } = await newVisitor();
  await pressesEveryButton({
    opens: (path) => page.goto(path),
    evaluates: (work, argument) => page.evaluate(/** @type {any} */ (work), argument),
    errors: () => Promise.resolve(errors),
  });
});

test("every button of every public page works in Firefox", async ({ shop }) => {
  const browser = await openFirefox();
  try {
    const page = await browser.newPage();
    const errors = browserErrors(page);
    await pressesEveryButton({
      opens: (path) => page.goto(shop.url + path),
      evaluates: (work, argument) => page.evaluate(/** @type {any} */ (work), argument),
      errors: () => Promise.resolve(errors),
    });
  } finally {
    await browser.close();
  }
});

test("every button of every public page works in WebKit", async ({ shop }) => {
  const { driver, close } = await openWebKit();
  try {
    await pressesEveryButton({
      // WebDriver reports no console: errors before this script, during the first load, stay unseen.
      opens: async (path) => {
        await driver.get(shop.url + path);
        await driver.executeScript(recordErrors);
      },
      evaluates: (work, argument) => driver.executeScript(/** @type {any} */ (work), argument),
      errors: () => driver.executeScript(() => Reflect.get(globalThis, "walkErrors") ?? []),
    });
    await driver.quit();
  } finally {
    await close();
  }
});

/** Runs in the page. */
function recordErrors() {
  /** @type {string[]} */
  const errors = [];
  Object.assign(globalThis, { walkErrors: errors });
  addEventListener("error", (event) => errors.push(String(event.message)));
  addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
  // oxlint-disable-next-line no-console -- the errors of the page are what this walk looks for
  const log = console.error;
  // oxlint-disable-next-line no-console -- as above
  console.error = (/** @type {unknown[]} */ ...parts) => {
    errors.push(parts.map(String).join(" "));
    log(...parts);
  };
}

test.describe("after Proceed to Checkout without a login", () => {
  test("every link of the navigation and the footer leads to a whole page", async ({ newVisitor }) => {
    const visitor = await newVisitor();
    const { page, browserErrors: errors } = visitor;
    await isWarned(page);
    await page.waitForTimeout(WARNING_MS);
    assert.equal(await page.getByText("to check out. Your cart will be waiting.").count(), 0, "the warning is gone");
    const links = await page.locator("header a, footer a").evaluateAll(addressesOf);
    assert.ok(links.length >= 10, `${links}`);
    for (const link of links) {
      await page.goto("/cart");
      await page.getByRole("button", { name: "Proceed to Checkout" }).click();
      await leadsOn(page, link);
    }
    assert.deepEqual(errors, []);
  });

  test("a link and Remove work while the warning is shown", async ({ newVisitor }) => {
    const { page, browserErrors: errors } = await newVisitor();
    await isWarned(page);
    await leadsOn(page, "/about");
    await isWarned(page);
    await page.getByRole("button", { name: "Remove Nudgelight One" }).click();
    await sees(page, "Nudgelight One was removed from your cart.");
    assert.deepEqual(errors, []);
  });
});

/** @param {Page} page */
async function isWarned(page) {
  await addsToCart(page, "Nudgelight One", 1);
  await page.goto("/cart");
  await page.getByRole("button", { name: "Proceed to Checkout" }).click();
  await sees(page, "to check out. Your cart will be waiting.");
}

/** The different pages of the shop that these links lead to. @param {(HTMLElement | SVGElement)[]} links */
function addressesOf(links) {
  const targets = links.map((link) => new URL(/** @type {HTMLAnchorElement} */ (link).href));
  const own = targets.filter(({ origin, protocol }) => origin === location.origin && protocol.startsWith("http"));
  return [...new Set(own.map(({ pathname }) => pathname))];
}

/** @param {Page} page @param {string} path */
async function leadsOn(page, path) {
  // The link of the Products menu opens the menu instead.
  const link = page.locator(`:is(header, footer) a[href="${path}"]:not([aria-haspopup])`);
  await link.filter({ visible: true }).first().click();
  await page.waitForURL((url) => url.pathname === path);
  await page.locator("h1").first().waitFor();
  const title = await page.locator("h1").first().textContent();
  assert.notEqual(title, "Something went wrong", path);
}
