import { expect } from "@playwright/test";
import { test } from "./fixtures.mjs";
import { arrivesAt, sees } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("@playwright/test").Locator} Locator */
/** @typedef {import("./purchase.mjs").Hands} Hands */

/** More than any page has controls. */
const MOST_CONTROLS = 200;

/** A customer with a pointer. @param {Page} page @returns {Hands} */
export function pointer(page) {
  return {
    ...eyes(page),
    types: (label, text) => page.getByLabel(label, { exact: true }).fill(text),
    presses: (name) => control(page, "button", name).click(),
    follows: (name) => control(page, "link", name).click(),
  };
}

/** A customer who reaches everything with Tab. @param {Page} page @returns {Hands} */
export function keyboard(page) {
  return {
    ...eyes(page),
    types: async (label, text) => {
      await tabsTo(page.getByLabel(label, { exact: true }));
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(text);
    },
    presses: (name) => pressesEnterOn(control(page, "button", name)),
    follows: (name) => pressesEnterOn(control(page, "link", name)),
  };
}

/** @param {Page} page */
function eyes(page) {
  return {
    opens: (/** @type {string} */ path) => page.goto(path),
    arrivesAt: (/** @type {string} */ path) => arrivesAt(page, path),
    sees: (/** @type {string} */ text) => sees(page, text),
    looks: (/** @type {string} */ name) => page.screenshot({ path: test.info().outputPath(`${name}.png`) }),
  };
}

/** @param {Page} page @param {"button" | "link"} role @param {string} name */
function control(page, role, name) {
  const start = new RegExp(`^${name.replaceAll("$", "\\$")}`);
  return page.getByRole(role, { name: start }).filter({ visible: true }).first();
}

/** @param {Locator} target */
async function pressesEnterOn(target) {
  await tabsTo(target);
  await target.page().keyboard.press("Enter");
}

/** Presses Tab until the target has the focus. @param {Locator} target */
async function tabsTo(target) {
  await expect(target).toBeEnabled();
  for (let presses = 0; presses < MOST_CONTROLS; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await target.page().keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${target}`);
}
