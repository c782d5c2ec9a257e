// A purchase in WebKit, and how its pages start.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { By } from "selenium-webdriver";
import { test } from "./fixtures.mjs";
import { addsToTheCart, keepsThePosition, startsScrolled } from "./history.mjs";
import { buysALight, isAt } from "./purchase.mjs";
import { button, field, link, withText } from "./targets.mjs";
import { openWebKit } from "./webkit.mjs";

/** @typedef {import("selenium-webdriver").WebDriver} WebDriver */
/** @typedef {import("selenium-webdriver").WebElement} WebElement */

test("a customer buys a light in WebKit", async ({ shop }) => {
  const { driver, close } = await openWebKit();
  try {
    await buysALight(hands(driver, shop.url));
    await driver.quit();
  } finally {
    await close();
  }
});

test("pages keep their position in WebKit, and Add to Cart counts once", async ({ shop }) => {
  const { driver, close } = await openWebKit();
  try {
    // Every page is higher than this window.
    await driver.manage().window().setRect({ x: 0, y: 0, width: 800, height: 600 });
    const visitor = controls(driver, shop.url);
    await startsScrolled(visitor);
    await keepsThePosition(visitor);
    await addsToTheCart(visitor);
    await driver.quit();
  } finally {
    await close();
  }
});

/** @param {WebDriver} driver @param {string} shop @returns {import("./history.mjs").Browser} */
function controls(driver, shop) {
  return {
    ...hands(driver, shop),
    evaluates: (expression) => driver.executeScript(`return ${expression}`),
    reloads: () => driver.navigate().refresh(),
    doubleClicks: (name) =>
      expect(async () =>
        driver
          .actions()
          .doubleClick(await visible(driver, button(name)))
          .perform(),
      ).toPass({ timeout: 15_000 }),
  };
}

/** @param {WebDriver} driver @param {string} shop @returns {import("./purchase.mjs").Hands} */
function hands(driver, shop) {
  /** @param {string} xpath @param {(element: WebElement) => Promise<unknown>} act */
  const at = (xpath, act) => expect(async () => act(await visible(driver, xpath))).toPass({ timeout: 15_000 });
  return {
    opens: (path) => driver.get(shop + path),
    arrivesAt: (path) =>
      expect(async () => assert.ok(isAt(await driver.getCurrentUrl(), path))).toPass({ timeout: 15_000 }),
    sees: (text) => at(withText(text), async () => {}),
    types: (label, text) => at(field(label), (element) => replaces(element, text)),
    presses: (name) => at(button(name), (element) => element.click()),
    follows: (name) => at(link(name), (element) => element.click()),
    looks: async (name) => writeFile(test.info().outputPath(`${name}.png`), await driver.takeScreenshot(), "base64"),
  };
}

/** The first visible element. @param {WebDriver} driver @param {string} xpath */
async function visible(driver, xpath) {
  for (const element of await driver.findElements(By.xpath(xpath))) if (await element.isDisplayed()) return element;
  throw new Error(`${xpath} is not visible on ${await driver.getCurrentUrl()}`);
}

/** @param {WebElement} element @param {string} text */
async function replaces(element, text) {
  await element.clear();
  await element.sendKeys(text);
}
