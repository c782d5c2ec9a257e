// A purchase in WebKit, and how its pages start.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { By } from "selenium-webdriver";
import { test } from "./fixtures.mjs";
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

test("a page that opens scrolled starts in WebKit, and a reload keeps its position", async ({ shop }) => {
  const { driver, close } = await openWebKit();
  try {
    const starts = () =>
      expect(async () =>
        assert.ok(await driver.executeScript("return document.getElementById('root') === null")),
      ).toPass({ timeout: 15_000 });
    await driver.get(`${shop.url}/tutorial#lab`);
    await starts();
    await driver.get(`${shop.url}/`);
    await starts();
    await driver.executeScript("scrollTo(0, 300)");
    await driver.navigate().refresh();
    await starts();
    const y = Number(await driver.executeScript("return scrollY"));
    assert.ok(Math.abs(y - 300) <= 1, String(y));
    await driver.quit();
  } finally {
    await close();
  }
});

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
