// The scroll position and the history, in any browser.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { expect } from "@playwright/test";
import { DEMO_PASSWORD } from "./shop.mjs";

/**
 * A customer who also uses the browser's own controls.
 *
 * @typedef {object} Controls
 * @property {(expression: string) => Promise<unknown>} evaluates
 * @property {() => Promise<unknown>} reloads
 * @property {(name: string) => Promise<unknown>} doubleClicks a button, by the start of its name
 * @typedef {import("./purchase.mjs").Hands & Controls} Browser
 */

/**
 * WebKit's driver does not answer after Back, so only the other browsers have this.
 *
 * @typedef {object} History
 * @property {(url: string) => Promise<unknown>} visits another site
 * @property {() => Promise<unknown>} goesBack
 */

export const PAGES = ["/", "/products/nudgelight-one", "/products", "/tutorial", "/shipping-and-returns"];
export const Y = 300;

/** A page of another site. */
export async function openElsewhere() {
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end("Elsewhere"));
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return { url: `http://localhost:${port}/`, close: () => server.close() };
}

/** Waits until the shell has replaced the server-rendered page. @param {Browser} browser */
async function starts(browser) {
  await holds(browser, "document.readyState === 'complete' && document.getElementById('root') === null");
}

/** @param {Browser} browser @param {string} expression */
async function holds(browser, expression) {
  await expect(async () => assert.equal(await browser.evaluates(expression), true, expression)).toPass({
    timeout: 15_000,
  });
}

/** @param {Browser} browser @param {string} path */
async function assertPosition(browser, path) {
  await starts(browser);
  const y = Number(await browser.evaluates("scrollY"));
  assert.ok(Math.abs(y - Y) <= 1, `${path}: ${y}`);
}

/** A page that opens scrolled starts, and with it the Schedule Lab. @param {Browser} browser */
export async function startsScrolled(browser) {
  await browser.opens("/tutorial#lab");
  await starts(browser);
  await holds(browser, "document.getElementById('lab-text') !== null");
}

/** The position stays on a reload, and while a page starts. @param {Browser} browser */
export async function keepsThePosition(browser) {
  for (const path of PAGES) {
    await browser.opens(path);
    await browser.evaluates(`scrollTo(0, ${Y})`);
    await assertPosition(browser, `${path} while it starts`);
    await browser.reloads();
    await assertPosition(browser, `${path} after a reload`);
  }
}

/** The position stays on Back from another site. @param {Browser & History} browser */
export async function keepsThePositionOnBack(browser) {
  const elsewhere = await openElsewhere();
  try {
    for (const path of PAGES) {
      await browser.opens(path);
      await starts(browser);
      await browser.evaluates(`scrollTo(0, ${Y})`);
      await browser.visits(elsewhere.url);
      await browser.goesBack();
      await browser.arrivesAt(path);
      await assertPosition(browser, `${path} after Back`);
    }
  } finally {
    elsewhere.close();
  }
}

/**
 * *Add to Cart* counts once for a double click, and if the visitor leaves the page at once.
 *
 * @param {Browser} browser
 */
export async function addsToTheCart(browser) {
  await browser.opens("/products/nudgelight-mini");
  await browser.doubleClicks("Add to Cart");
  await browser.sees("Nudgelight Mini was added to your cart.");
  await holds(browser, "document.querySelector('[data-testid=cart-count]').textContent.trim().startsWith('1')");
  await browser.opens("/products/nudgelight-one");
  await browser.presses("Add to Cart");
  await browser.opens("/cart");
  await browser.sees("Nudgelight One");
  await holds(browser, "/^2\\D/.test(document.querySelector('[data-testid=cart-count]').textContent.trim())");
}

/**
 * From a cart to the checkout, with a login on the way. Back leads to the cart.
 *
 * @param {Browser & History} browser
 */
export async function comesBackToTheCart(browser) {
  await browser.opens("/cart");
  await browser.presses("Proceed to Checkout");
  await browser.follows("log in");
  await browser.arrivesAt("/login");
  await browser.types("Email", "customer@nudgelight.example");
  await browser.types("Password", DEMO_PASSWORD);
  await browser.presses("Login");
  await browser.arrivesAt("/checkout");
  await browser.sees("Full Name");
  await browser.goesBack();
  await browser.arrivesAt("/cart");
  await browser.sees("Proceed to Checkout");
}
