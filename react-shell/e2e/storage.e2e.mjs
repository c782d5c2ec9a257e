import assert from "node:assert/strict";
import { test } from "./fixtures.mjs";
import { addsToCart, arrivesAt, sees } from "./steps.mjs";

/** Simulates a browser that blocks site data: reading the storage properties throws, and so do locks. */
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

test.describe("where the browser stores nothing", () => {
  for (const [state, simulate] of /** @type {const} */ ([
    ["blocked", block],
    ["full", fill],
  ]))
    test(`because storage is ${state}, the shop works and the cart says that it will not last`, async ({
      newVisitor,
    }) => {
      const { page, context, browserErrors } = await newVisitor();
      await context.addInitScript(simulate);
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
      // Client-side navigation keeps the cart.
      await page.getByRole("contentinfo").getByRole("link", { name: "Terms" }).click();
      await page
        .getByRole("link", { name: /^View Cart 3 items/ })
        .first()
        .waitFor();
      await page.goto("/login");
      await sees(page, "so you can’t stay logged in");
      await page.goto("/");
      await page.getByLabel("Write a line. The light obeys.").fill("on 18:00-20:00 40%");
      await sees(page, "On at 40% until 8 PM.");
      await page.goto("/schedule-lab");
      await page.getByLabel("Your schedule").fill("timezone = UTC\non 18:00-20:00 40%\n");
      await sees(page, "1 rule, no problems");
      assert.deepEqual(browserErrors, []);
    });
});
