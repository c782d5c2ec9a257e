import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { PUBLIC } from "./routes.mjs";

/**
 * A browser for this walk.
 *
 * @typedef {object} Walker
 * @property {(path: string) => Promise<unknown>} opens
 * @property {<Argument, Result>(work: (argument: Argument) => Result, argument: Argument) => Promise<Result>} evaluates
 * @property {() => Promise<string[]>} errors console errors and uncaught exceptions so far
 */

/** More presses than any page needs. A page that never runs out of new buttons fails. */
const MOST_PRESSES = 120;
/** For effects of a press that come later, such as the focus or an error in an effect. */
const SETTLING_MS = 60;
const LOADING_MS = 15_000;

/** Opens every public page and presses each of its buttons once. @param {Walker} walker */
export async function pressesEveryButton(walker) {
  let presses = 0;
  for (const path of PUBLIC) presses += await pressesAllOf(walker, path);
  assert.ok(presses >= 5 * PUBLIC.length, `only ${presses} buttons were pressed`);
}

/** @param {Walker} walker @param {string} path */
async function pressesAllOf(walker, path) {
  /** @type {string[]} */
  const pressed = [];
  await opens(walker, path);
  for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
    const name = await walker.evaluates(pressNext, pressed);
    if (name === null) return pressed.length;
    pressed.push(name);
    await delay(SETTLING_MS);
    await isWhole(walker, `${path} after “${name}”`);
    // A dialog covers the other buttons, and another page does not have them.
    if (await walker.evaluates(hasLeft, path)) await opens(walker, path);
  }
  throw new Error(`${path} always has another button, such as ${pressed.at(-1)}`);
}

/** @param {Walker} walker @param {string} path */
async function opens(walker, path) {
  await walker.opens(path);
  const end = performance.now() + LOADING_MS;
  while (!(await walker.evaluates(isReady, undefined))) {
    assert.ok(performance.now() < end, `${path} is not ready`);
    await delay(SETTLING_MS);
  }
  await isWhole(walker, path);
}

/** @param {Walker} walker @param {string} place */
async function isWhole(walker, place) {
  const errors = await walker.errors();
  assert.deepEqual(errors.filter(isUnexpected), [], place);
  assert.notEqual(await walker.evaluates(heading, undefined), "Something went wrong", place);
}

/** Chromium reports the 404 of a page that does not exist as an error. @param {string} error */
function isUnexpected(error) {
  return !/status of 404 .*\/nothing-of-that-name/.test(error);
}

// The functions below run in the page.

/** Whether the shell has replaced the server's page. */
function isReady() {
  return document.querySelector("#root") === null && document.querySelector("h1") !== null;
}

function heading() {
  return document.querySelector("h1")?.textContent ?? "";
}

/** @param {string} path */
function hasLeft(path) {
  const isOpen = document.querySelector("[role=dialog], dialog[open]") !== null;
  return isOpen || location.pathname !== new URL(path, location.href).pathname;
}

/** Presses the first visible button that has not been pressed, and returns its name. @param {string[]} pressed */
function pressNext(pressed) {
  const counts = new Map();
  const buttons = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("button, summary, [role=button]"));
  for (const button of buttons) {
    if (!button.checkVisibility({ visibilityProperty: true })) continue;
    const text = (button.getAttribute("aria-label") ?? button.textContent).trim().replaceAll(/\s+/g, " ");
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    const name = `${text} ${count}`;
    if (pressed.includes(name)) continue;
    button.click();
    return name;
  }
  return null;
}
