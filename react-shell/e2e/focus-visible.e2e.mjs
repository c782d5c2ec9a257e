// The focus is visible wherever Tab leads: a ring of at least 2 px with enough contrast, and nothing in front of it.
import assert from "node:assert/strict";
import { resize, test } from "./fixtures.mjs";
import { buysFor } from "./orders.mjs";
import { END_OF_PAGE, faultOfFocus } from "./focus-ring.mjs";
import { adminPaths, customerPaths, PUBLIC } from "./routes.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { addsToCart, goesToPayment, logsIn } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */

/** More than any page has controls. */
const MOST_CONTROLS = 200;

/** Opens a page as the shell renders it. @param {Page} page @param {string} path */
async function opens(page, path) {
  await page.goto(path);
  await page.locator("#root").waitFor({ state: "detached" });
  await page.locator("h1").waitFor();
  // The Schedule Lab loads when it is near.
  await page.locator("footer").scrollIntoViewIfNeeded();
  await page.waitForLoadState("networkidle");
}

/** Checks the focus of each control in both themes, and at 400 % zoom of 1280 × 1024. @param {Page} page */
async function showsFocus(page) {
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    assert.deepEqual(await faults(page), [], `${page.url()} in ${colorScheme}`);
  }
  await resize(page, 320, 256);
  assert.deepEqual(await faults(page), [], `${page.url()} at 320 × 256`);
  await resize(page, 1280);
}

/** Presses Tab through the page, or once around a dialog. @param {Page} page */
async function faults(page) {
  /** @type {string[]} */
  const found = [];
  await page.evaluate(() => {
    Reflect.deleteProperty(globalThis, "firstFocus");
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.scrollTo(0, 0);
  });
  for (let presses = 0; presses < MOST_CONTROLS; presses += 1) {
    await page.keyboard.press("Tab");
    const fault = await faultOfFocus(page);
    if (fault === END_OF_PAGE || (await isFirstFocus(page))) return found;
    if (fault !== undefined) found.push(fault);
  }
  return [...found, `Tab does not end within ${MOST_CONTROLS} controls`];
}

/** Whether the focus is again where it was first. @param {Page} page */
function isFirstFocus(page) {
  return page.evaluate(() => {
    const first = Reflect.get(globalThis, "firstFocus");
    if (first === undefined) Reflect.set(globalThis, "firstFocus", document.activeElement);
    return first === document.activeElement;
  });
}

test.describe("the focus is visible", () => {
  for (const path of PUBLIC) {
    test(`on ${path}`, async ({ newVisitor }) => {
      const { page } = await newVisitor();
      await opens(page, path);
      await showsFocus(page);
    });
  }

  test("on the pages of a customer", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await logsIn(page, "customer@nudgelight.example", DEMO_PASSWORD);
    const [order = ""] = await buysFor(page, "Nudgelight Mini", ["Ada Lovelace"]);
    await addsToCart(page, "Nudgelight Mini", 1);
    for (const path of ["/cart", ...customerPaths(order)]) {
      await opens(page, path);
      await showsFocus(page);
    }
    await goesToPayment(page);
    await showsFocus(page);
  });

  test("on the pages of an administrator", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await logsIn(page, "admin@nudgelight.example", DEMO_PASSWORD);
    const [order = ""] = await buysFor(page, "Nudgelight Mini", ["Ada Lovelace"]);
    for (const path of adminPaths(order)) {
      await opens(page, path);
      await showsFocus(page);
    }
    await page.getByRole("button", { name: "Edit Order" }).click();
    await showsFocus(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Refund…" }).click();
    await showsFocus(page);
    await opens(page, "/admin/products");
    await page.getByRole("button", { name: "Edit Nudgelight One" }).click();
    await showsFocus(page);
  });

  test("in the menu of a small screen", async ({ newVisitor }) => {
    const { page } = await newVisitor({ viewport: { width: 320, height: 256 } });
    await opens(page, "/");
    await page.getByRole("button", { name: "Open menu" }).click();
    assert.deepEqual(await faults(page), []);
  });

  test("in the Products menu", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await opens(page, "/");
      await page.getByRole("button", { name: "Products" }).press("Enter");
      for (const item of await page.getByRole("menuitem").all()) {
        await item.waitFor();
        assert.equal(await faultOfFocus(page), undefined, `${await item.innerText()} in ${colorScheme}`);
        await page.keyboard.press("ArrowDown");
      }
    }
  });
});
