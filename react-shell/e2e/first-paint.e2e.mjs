import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "./fixtures.mjs";
import { firmwareOf } from "./light.mjs";
import { holdShell, shellIsThere } from "./shell-start.mjs";
import { openShop } from "./shop.mjs";
import { arrivesAt } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */

const PAGES = ["/", "/products", "/products/nudgelight-one", "/about", "/tutorial", "/login", "/cart", "/schedule-lab"];

/** Cumulative layout shift since navigation. @param {Page} page */
function shifted(page) {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += /** @type {any} */ (entry).value;
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => resolve(sum), 300);
      }),
  );
}

/** Positions of all readable elements. @param {Page} page @returns {Promise<string[]>} */
function places(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll("header a, main :is(h1, h2, h3, p, a, button, input, svg), footer a")]
      .filter((element) => element.getClientRects().length > 0)
      .map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return `${element.tagName} ${[x, y, width, height].map(Math.round)} ${element.textContent?.slice(0, 20)}`;
      }),
  );
}

test.describe("from the first paint to the shell", () => {
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    for (const path of PAGES) {
      test(`${path} moves nothing at ${viewport.width}`, async ({ newVisitor }) => {
        const { page, browserErrors } = await newVisitor({ viewport });
        const release = await holdShell(page);
        await page.goto(path);
        await page.evaluate(() => document.fonts.ready);
        release();
        await shellIsThere(page);
        await page.locator("h1").first().waitFor();
        const sum = await shifted(page);
        assert.ok(Number(sum) < 0.02, `${path} shifted by ${sum}`);
        assert.deepEqual(browserErrors, []);
      });
    }
  }

  test("letters that come late move nothing", async ({ newVisitor }) => {
    for (const path of PAGES) {
      const { page } = await newVisitor({ viewport: { width: 390, height: 844 } });
      await page.route("**/*.woff2", async (route) => {
        await page.waitForTimeout(700);
        await route.continue();
      });
      const arrived = page.waitForResponse("**/*.woff2");
      await page.goto(path);
      await arrived;
      await shellIsThere(page);
      const sum = await shifted(page);
      assert.ok(Number(sum) < 0.02, `${path} shifted by ${sum}`);
    }
  });

  test("every element of a public page stays where it was", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    for (const path of PAGES.slice(0, 5)) {
      const release = await holdShell(page);
      await page.goto(path);
      await page.evaluate(() => document.fonts.ready);
      const painted = await places(page);
      release();
      await shellIsThere(page);
      assert.deepEqual(await places(page), painted, path);
    }
  });

  test("what was typed, focused and pressed before goes on after", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    const release = await holdShell(page);
    await page.goto("/products/nudgelight-one");
    await page.getByLabel("Quantity", { exact: true }).fill("3");
    const button = page.getByRole("button", { name: "Add to Cart" });
    const look = () =>
      button.evaluate((element) => getComputedStyle(element).opacity + getComputedStyle(element, "::after").content);
    const idle = await look();
    await button.click();
    assert.notEqual(await look(), idle, "a press that waits is seen to wait");
    release();
    await shellIsThere(page);
    await page.getByText("Nudgelight One was added to your cart.").waitFor();
    assert.match(await page.getByTestId("cart-count").innerText(), /^3/);
    assert.equal(await page.getByLabel("Quantity", { exact: true }).inputValue(), "3");
  });

  test("what is typed next replaces what was selected before", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    const release = await holdShell(page);
    await page.goto("/");
    const line = page.getByLabel("Write a line. The light obeys.");
    await line.fill("on 18:00-20:00 40%");
    await line.evaluate((input) => /** @type {HTMLInputElement} */ (input).setSelectionRange(3, 8));
    release();
    await shellIsThere(page);
    await page.waitForFunction(() => {
      const input = document.querySelector("#hero-line");
      return input instanceof HTMLInputElement && input.selectionStart === 3;
    });
    await page.keyboard.type("17:30");
    assert.equal(await line.inputValue(), "on 17:30-20:00 40%");
    await page.getByText("On at 40% until 8 PM.").waitFor();
  });

  test("a press that has begun is let end before the shell takes the page's place", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    const release = await holdShell(page);
    await page.goto("/");
    await page.getByRole("button", { name: "Products" }).hover();
    await page.mouse.down();
    const asked = page.waitForResponse((response) => response.url().endsWith(".wasm"));
    release();
    await asked;
    await page.waitForTimeout(1_000);
    await page.mouse.up();
    await shellIsThere(page);
    await page.getByRole("menuitem", { name: "Nudgelight Mini" }).waitFor();
  });

  test("who goes through the page by keyboard stays where they are", async ({ newVisitor }) => {
    for (const [tabs, text] of /** @type {[number, string][]} */ ([
      [1, "Skip to content"],
      [3, "About"],
    ])) {
      const { page } = await newVisitor();
      const release = await holdShell(page);
      await page.goto("/");
      for (let tab = 0; tab < tabs; tab += 1) await page.keyboard.press("Tab");
      const focused = () => page.evaluate(() => document.activeElement?.textContent);
      assert.equal(await focused(), text);
      release();
      await shellIsThere(page);
      assert.equal(await focused(), text);
    }
  });

  test("the shell waits for what the page needs to be seen, but for nobody who touches the page", async ({
    newVisitor,
  }) => {
    for (const touches of [false, true]) {
      const { page } = await newVisitor();
      /** @type {(held: () => void) => void} */
      let tell;
      const held = /** @type {Promise<() => void>} */ (new Promise((go) => (tell = go)));
      await page.route("**/*.woff2", (route) => tell(() => void route.continue()));
      /** @type {string[]} */
      const modules = [];
      page.on("request", (request) => void (request.url().endsWith(".wasm") && modules.push(request.url())));
      await page.goto("/", { waitUntil: "domcontentloaded" });
      const release = await held;
      await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => setTimeout(go))));
      assert.deepEqual(modules, []);
      if (touches) await page.keyboard.press("Tab");
      else release();
      await shellIsThere(page);
      assert.equal(modules.length, 2);
    }
  });

  test("the shell asks for nothing that the page brought along", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    /** @type {string[]} */
    const asked = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/api/")) asked.push(`${request.method()} ${pathname}`);
    });
    await page.goto("/products/nudgelight-one");
    await shellIsThere(page);
    await page.waitForLoadState("networkidle");
    assert.deepEqual(
      asked.filter((call) => call !== "POST /api/pageviews"),
      [],
    );
  });

  test("links in views are followed without a new document, and the head follows", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await page.goto("/");
    await shellIsThere(page);
    await page.evaluate(() => Reflect.set(window, "isSameDocument", true));
    await page.getByRole("link", { name: "How It Works" }).click();
    await page.getByRole("heading", { level: 1, name: "About" }).waitFor();
    assert.equal(await page.evaluate(() => Reflect.get(window, "isSameDocument")), true);
    assert.equal(await page.title(), "About Nudgelight · Nudgelight");
    assert.equal(await page.locator("link[rel=canonical], script[type='application/ld+json']").count(), 0);
    await page.getByRole("link", { name: "Login" }).click();
    await arrivesAt(page, "/login");
    assert.equal(await page.evaluate(() => Reflect.get(window, "isSameDocument")), undefined, "another policy");
  });

  test("a chosen color is there from the first paint on", async ({ newVisitor }) => {
    const { page } = await newVisitor({ colorScheme: "light" });
    await page.goto("/");
    await shellIsThere(page);
    await page.getByRole("button", { name: "Dark" }).click();
    await holdShell(page);
    await page.goto("/about");
    assert.equal(await page.evaluate(() => document.documentElement.dataset["theme"]), "dark");
  });
});

test.describe("the light's firmware", () => {
  test("is offered by the first paint and by the shell, and is what is downloaded", async ({ newVisitor }) => {
    const folder = await mkdtemp(join(tmpdir(), "nudgelight-e2e-"));
    await mkdir(join(folder, "downloads"));
    await writeFile(join(folder, "downloads", "nudgelight-pico-w.uf2"), firmwareOf("0.1.0").file);
    const shop = await openShop({ SHOP_DATA_DIR: folder });
    const { page, browserErrors } = await newVisitor({ baseURL: shop.url });
    const release = await holdShell(page);
    await page.goto("/tutorial");
    await page.evaluate(() => document.fonts.ready);
    await page.getByText("(UF2, 1 KB)").waitFor();
    const painted = await places(page);
    release();
    await shellIsThere(page);
    assert.deepEqual(await places(page), painted);
    const arriving = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download firmware" }).click();
    const download = await arriving;
    assert.equal(download.suggestedFilename(), "nudgelight-pico-w.uf2");
    assert.equal(await download.failure(), null);
    assert.deepEqual(browserErrors, []);
    await shop.close();
    await rm(folder, { recursive: true });
  });
});

test.describe("without scripts", () => {
  test("the shop is read and its links lead on", async ({ newVisitor }) => {
    const { page } = await newVisitor({ javaScriptEnabled: false });
    await page.goto("/");
    await page.getByRole("heading", { level: 1, name: /Welcome to/ }).waitFor();
    await page.getByRole("link", { name: "Nudgelight One" }).first().click();
    await arrivesAt(page, "/products/nudgelight-one");
    await page.getByText("$24.99").waitFor();
    await page.locator("main noscript p").waitFor();
    await page.getByRole("button", { name: "Products" }).click();
    await arrivesAt(page, "/products");
    await page.getByRole("link", { name: "About" }).first().click();
    await arrivesAt(page, "/about");
    await page.getByRole("link", { name: "setup tutorial", exact: true }).click();
    await arrivesAt(page, "/tutorial");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Nudgelight Mini" }).click();
    await arrivesAt(page, "/products/nudgelight-mini");
  });
});
