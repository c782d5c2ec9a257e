/**
 * Measures what visitors wait for in the browser: `cargo xtask bench --only browser`. Prints one line for each figure,
 * `name | microseconds | limit`.
 */
import { readFile } from "node:fs/promises";
import { test } from "./fixtures.mjs";

/** @typedef {import("@playwright/test").Page} Page */

const GENERATED = new URL("../src/generated/wasm-core/", import.meta.url);
const TYPES = { js: "text/javascript", wasm: "application/wasm" };

/** @param {string} name @param {number} milliseconds @param {number} most in milliseconds */
function tell(name, milliseconds, most) {
  const [taken, bound] = [milliseconds, most].map((time) => Math.round(time * 1000));
  // oxlint-disable-next-line no-console -- the benchmarks read it
  console.log(`${name} | ${taken} | ${bound}`);
}

/** @param {number[]} values @param {number} share 0.5 is the median */
function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Opens a page and waits until its start is over. @param {Page} page @param {string} path */
async function opens(page, path) {
  await page.goto(path);
  await page.waitForFunction(() => document.getElementById("root") === null);
  await page.waitForLoadState("networkidle");
}

/** A quote for 50 lines, including the conversion of the cart and the quote between JavaScript and WASM. @param {Page} page */
async function quotes(page) {
  await page.route("**/measured/*", async (route) => {
    const file = new URL(route.request().url()).pathname.split("/").at(-1) ?? "";
    const body = await readFile(new URL(file, GENERATED));
    await route.fulfill({ body, contentType: file.endsWith(".js") ? TYPES.js : TYPES.wasm });
  });
  await opens(page, "/about");
  const times = await page.evaluate(async () => {
    const core = await import(/* @vite-ignore */ [location.origin, "measured", "wasm_core.js"].join("/"));
    await core.default();
    let cart = core.readCart();
    const [light] = await (await fetch("/api/products")).json();
    for (let line = 0; line < 50; line += 1) {
      const added = core.addToCart(cart, { ...light, id: `light-${line}`, name: `Light ${line}`, available: 99 }, 3);
      if (!added.ok) throw new Error(added.error);
      cart = added.cart;
    }
    const trials = [];
    for (let trial = 0; trial < 300; trial += 1) {
      const began = performance.now();
      const priced = core.quoteCart(cart, "CA");
      trials.push(performance.now() - began);
      if (!priced.ok) throw new Error(priced.error);
    }
    // The first calls also compile the code.
    return trials.slice(50);
  });
  tell("quote of a cart with 50 lines, including the JavaScript boundary, p50", quantile(times, 0.5), 1);
  tell("quote of a cart with 50 lines, including the JavaScript boundary, p99", quantile(times, 0.99), 1);
}

/** Time from a click on a link to the frame with the next page's heading. @param {Page} page */
async function routeChanges(page) {
  await opens(page, "/");
  const tour = [
    ["/products", "Products"],
    ["/products/nudgelight-one", "Nudgelight One"],
    ["/about", "About Nudgelight"],
    ["/", "Welcome to Nudgelight"],
  ];
  const times = [];
  // The first round also loads the script of each page.
  for (let round = 0; round < 11; round += 1) {
    for (const [path, heading] of tour) {
      const took = await page.evaluate(async ([to, title]) => {
        // The last link, because the first one opens the menu.
        const link = [...document.querySelectorAll(`a[href="${to}"]`)].at(-1);
        if (!(link instanceof HTMLElement)) throw new Error(`no link to ${to} on ${location.pathname}`);
        const began = performance.now();
        link.click();
        while (document.querySelector("main h1")?.textContent !== title) {
          if (performance.now() - began > 5000) throw new Error(`${to} was not shown`);
          await new Promise((shown) => requestAnimationFrame(shown));
        }
        await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
        return performance.now() - began;
      }, /** @type {[string, string]} */ ([path, heading]));
      if (round > 0) times.push(took);
    }
  }
  tell("navigation, from click to next page, p50", quantile(times, 0.5), 100);
  tell("navigation, from click to next page, p95", quantile(times, 0.95), 100);
}

/** Moves the Schedule Lab's moment through a week of 64 rules, layout included. @param {Page} page */
async function scrubs(page) {
  const rules = Array.from(
    { length: 64 },
    (_, rule) =>
      `blink ${String(rule % 24).padStart(2, "0")}:${rule % 60 < 10 ? "0" : ""}${rule % 60} for 20m weekdays`,
  );
  await page.goto("/tutorial#lab");
  const text = page.getByLabel("Your schedule");
  await text.fill(`timezone = America/New_York\n${rules.join("\n")}\n`);
  await page.getByText("64 rules, no problems").waitFor();
  const slider = page.getByRole("slider", { name: "Moment" });
  const times = await slider.evaluate(async (element) => {
    const trials = [];
    const before = element.getAttribute("aria-valuetext");
    for (let step = 0; step < 300; step += 1) {
      await new Promise((frame) => requestAnimationFrame(frame));
      const began = performance.now();
      element.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
      // Updates run as microtasks.
      for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
      document.body.getBoundingClientRect();
      trials.push(performance.now() - began);
    }
    if (element.getAttribute("aria-valuetext") === before) throw new Error("the moment did not move");
    return trials;
  });
  tell("Schedule Lab step with 64 rules, p50", quantile(times, 0.5), 16);
  tell("Schedule Lab step with 64 rules, p99", quantile(times, 0.99), 16);
}

/** The wall of recipes, whose lamps blink: time from frame to frame. @param {Page} page */
async function drawsTheWall(page) {
  await opens(page, "/schedules");
  await page.getByRole("button", { name: "Play a Day in Ten Seconds" }).click();
  const times = await page.evaluate(async () => {
    const frames = [];
    let last = await new Promise((frame) => requestAnimationFrame(frame));
    while (frames.length < 300) {
      const next = await new Promise((frame) => requestAnimationFrame(frame));
      frames.push(next - last);
      last = next;
    }
    return frames;
  });
  tell("wall of recipes, frame time, p50", quantile(times, 0.5), 17);
  tell("wall of recipes, frame time, p99", quantile(times, 0.99), 34);
}

for (const [name, measure] of Object.entries({ quotes, routeChanges, scrubs, drawsTheWall })) {
  test(name, async ({ page }) => measure(page));
}
