// A purchase in WebKitGTK through WebDriver, on a virtual display.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { expect } from "@playwright/test";
import { Builder, By } from "selenium-webdriver";
import { test } from "./fixtures.mjs";
import { skipWithout } from "./installed.mjs";
import { buysALight, isAt } from "./purchase.mjs";
import { button, field, link, withText } from "./targets.mjs";

/** @typedef {import("selenium-webdriver").WebDriver} WebDriver */
/** @typedef {import("selenium-webdriver").WebElement} WebElement */

// These modules have no types.
const load = createRequire(import.meta.url);
const { findFreePort } = load("selenium-webdriver/net/portprober");
const { DriverService } = load("selenium-webdriver/remote");

test("a customer buys a light in WebKit", async ({ shop }) => {
  skipWithout("WebKitWebDriver", "Xvfb");
  const display = await openDisplay();
  const port = await findFreePort();
  const env = { ...process.env, DISPLAY: display.name };
  const service = new DriverService("WebKitWebDriver", { port, args: [`--port=${port}`], env, loopback: true });
  try {
    const driver = await new Builder()
      .usingServer(await service.start())
      .forBrowser("MiniBrowser")
      .build();
    await driver.manage().window().setRect({ x: 0, y: 0, width: 1280, height: 900 });
    await buysALight(hands(driver, shop.url));
    await driver.quit();
  } finally {
    await service.kill();
    display.close();
  }
});

/** Xvfb chooses a free display and writes its number to the fourth file. */
async function openDisplay() {
  const server = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x1000x24"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const output = /** @type {import("node:stream").Readable} */ (server.stdio[3]);
  const [number] = await once(output, "data");
  return { name: `:${String(number).trim()}`, close: () => server.kill() };
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
