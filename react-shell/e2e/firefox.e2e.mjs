// A purchase in Firefox, and how its pages start.
import assert from "node:assert/strict";
import { expect } from "@playwright/test";
import { browserErrors, openFirefox } from "./firefox.mjs";
import { test } from "./fixtures.mjs";
import {
  addsToTheCart,
  comesBackToTheCart,
  keepsThePosition,
  keepsThePositionOnBack,
  startsScrolled,
} from "./history.mjs";
import { buysALight, isAt } from "./purchase.mjs";
import { button, field, link, withText } from "./targets.mjs";

/** @typedef {import("puppeteer-core").Page} Page */
/** @typedef {import("puppeteer-core").ElementHandle} ElementHandle */

test("a customer buys a light in Firefox, and its console has no error", async ({ shop }) => {
  const browser = await openFirefox();
  try {
    const page = await browser.newPage();
    const errors = browserErrors(page);
    await buysALight(hands(page, shop.url));
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
  }
});

test("pages keep their position in Firefox, and Back from the checkout leads to the cart", async ({ shop }) => {
  const browser = await openFirefox();
  try {
    const page = await browser.newPage();
    // Every page is higher than this window.
    await page.setViewport({ width: 800, height: 500 });
    const visitor = controls(page, shop.url);
    await startsScrolled(visitor);
    await keepsThePosition(visitor);
    await keepsThePositionOnBack(visitor);
    await addsToTheCart(visitor);
    await comesBackToTheCart(visitor);
  } finally {
    await browser.close();
  }
});

/** @param {Page} page @param {string} shop @returns {import("./history.mjs").Browser & import("./history.mjs").History} */
function controls(page, shop) {
  return {
    ...hands(page, shop),
    evaluates: (expression) => page.evaluate(expression),
    visits: (url) => page.goto(url),
    reloads: () => page.reload(),
    // Puppeteer waits for a load that a page from the cache does not have.
    goesBack: () => page.evaluate("setTimeout(() => history.back())"),
    doubleClicks: (name) =>
      expect(async () => (await visible(page, button(name))).click({ count: 2 })).toPass({ timeout: 15_000 }),
  };
}

/** @param {Page} page @param {string} shop @returns {import("./purchase.mjs").Hands} */
function hands(page, shop) {
  /** @param {string} xpath @param {(element: ElementHandle) => Promise<unknown>} act */
  const at = (xpath, act) => expect(async () => act(await visible(page, xpath))).toPass({ timeout: 15_000 });
  return {
    opens: (path) => page.goto(shop + path),
    // Puppeteer does not see the History API's changes of the URL in Firefox ESR.
    arrivesAt: (path) =>
      expect(async () => assert.ok(isAt(await page.evaluate(() => location.href), path))).toPass({ timeout: 15_000 }),
    sees: (text) => at(withText(text), async () => {}),
    types: (label, text) => at(field(label), (element) => replaces(page, element, text)),
    presses: (name) => at(button(name), (element) => element.click()),
    follows: (name) => at(link(name), (element) => element.click()),
    looks: (name) => page.screenshot({ path: test.info().outputPath(`${name}.png`) }),
  };
}

/** The first visible element. Puppeteer's own waiting uses eval, which the content security policy blocks. @param {Page} page @param {string} xpath */
async function visible(page, xpath) {
  for (const element of await page.$$(`xpath/${xpath}`)) if (await element.isVisible()) return element;
  throw new Error(`${xpath} is not visible on ${page.url()}`);
}

/** @param {Page} page @param {ElementHandle} element @param {string} text */
async function replaces(page, element, text) {
  await element.focus();
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.type(text);
}
