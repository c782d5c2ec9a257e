import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launch, person } from "./browser.mjs";
import { addsToCart, arrivesAt, sees } from "./steps.mjs";

/** @type {import("playwright-core").Browser} */
let browser;

before(async () => {
  browser = await launch();
});

after(() => browser.close());

/** As a browser that allows a site no data: the properties themselves throw, and so do locks. */
function block() {
  for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(window, name, {
      get() {
        throw new DOMException("Access is denied for this document.", "SecurityError");
      },
    });
  navigator.locks.request = () => Promise.reject(new DOMException("Access is denied.", "SecurityError"));
}

function fill() {
  Storage.prototype.setItem = () => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  };
}

describe("where the browser stores nothing", () => {
  for (const [state, upset] of /** @type {const} */ ([
    ["blocked", block],
    ["full", fill],
  ]))
    test(`because storage is ${state}, the shop works and the cart says that it will not last`, async () => {
      const { page, context, complaints } = await person(browser);
      await context.addInitScript(upset);
      await addsToCart(page, "Nudgelight Mini", 2);
      await page
        .getByRole("link", { name: /^View Cart 2 items/ })
        .first()
        .click();
      await arrivesAt(page, "/cart");
      await sees(page, "your cart lasts only until you reload or close this page");
      await page.getByLabel("Quantity of Nudgelight Mini").fill("3");
      await sees(page, "$52.50");
      assert.ok(await page.getByRole("button", { name: "Proceed to Checkout" }).isDisabled());
      await sees(page, "To check out, allow your browser to store your cart.");
      await page.getByRole("button", { name: "Dark", exact: true }).click();
      await page.waitForFunction(() => document.documentElement.dataset["theme"] === "dark");
      // Other pages of the same document keep the cart.
      await page.getByRole("contentinfo").getByRole("link", { name: "Terms" }).click();
      await page
        .getByRole("link", { name: /^View Cart 3 items/ })
        .first()
        .waitFor();
      await page.goto("/login");
      await sees(page, "so you can’t stay logged in");
      assert.deepEqual(complaints, []);
      await context.close();
    });
});
