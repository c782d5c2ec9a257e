import assert from "node:assert/strict";
import { expect } from "@playwright/test";
import { violationsOf } from "./axe.mjs";
import { resize, test } from "./fixtures.mjs";
import { openLargeShop } from "./shop.mjs";
import { arrivesAt, sees } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */

/** With the four demo products 204, on nine pages. @type {import("./shop.mjs").Shop} */
let shop;

test.beforeAll(async () => {
  shop = await openLargeShop(200);
});
test.afterAll(() => shop.close());

/** Opens a page and waits until the shell has taken over. @param {Page} page @param {string} path */
async function opens(page, path) {
  await page.goto(shop.url + path);
  await page.locator("#root").waitFor({ state: "detached" });
}

/** Delays the shell until the returned function is called. @param {Page} page */
async function holdShell(page) {
  /** @type {(() => void)[]} */
  const held = [];
  await page.route("**/*.wasm", (route) => void held.push(() => void route.continue().catch(() => undefined)));
  return async () => {
    await page.unroute("**/*.wasm");
    for (const go of held) go();
  };
}

/** Names of the products on the page. @param {Page} page */
function names(page) {
  return page.locator("main article h2").allInnerTexts();
}

/** Positions of the readable elements in the page. @param {Page} page @returns {Promise<string[]>} */
function places(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll("main :is(h1, h2, p, a, button, input, img)")].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return `${element.tagName} ${[x, y, width, height].map(Math.round)} ${element.textContent?.slice(0, 20)}`;
    }),
  );
}

test.describe("two hundred products", () => {
  test("are leafed through, ordered and searched without a new document", async ({ newVisitor }) => {
    const { page, browserErrors } = await newVisitor();
    await opens(page, "/products");
    await page.evaluate(() => Reflect.set(window, "isSameDocument", true));
    const first = await names(page);
    await page.getByRole("link", { name: "Next page" }).click();
    await sees(page, "204 products, page 2 of 9");
    assert.equal(new URL(page.url()).search, "?page=2");
    assert.equal((await names(page)).filter((name) => first.includes(name)).length, 0);
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "H1");
    assert.equal(await page.evaluate(() => window.scrollY), 0);
    assert.equal(await page.locator("link[rel=canonical], link[rel=prev], link[rel=next]").count(), 0);

    await page.getByRole("searchbox").fill("AMBER dome");
    await page.keyboard.press("Enter");
    await sees(page, "1 product for “AMBER dome”");
    assert.deepEqual(await names(page), ["Nudgelight Amber Dome"]);
    await page.getByRole("searchbox").fill("nothing like this");
    await page.getByRole("button", { name: "Search" }).click();
    await sees(page, "No products for “nothing like this”");
    await page.getByRole("link", { name: "Clear search" }).click();
    await sees(page, "204 products, page 1 of 9");
    assert.equal(await page.getByRole("searchbox").inputValue(), "");

    await page.getByRole("link", { name: "Price: low to high" }).click();
    await arrivesAt(page, "/products?sort=price");
    await page.locator('a[aria-current="true"]', { hasText: "Price: low to high" }).waitFor();
    const prices = (await page.locator("main article").allInnerTexts()).map((text) =>
      Number(/\$([\d.]+)/.exec(text)?.[1]),
    );
    assert.deepEqual(
      prices,
      prices.toSorted((a, b) => a - b),
    );
    await page.goBack();
    // The sorted page has the same count.
    await page.locator('a[aria-current="true"]', { hasText: "Featured" }).waitFor();
    assert.deepEqual(await names(page), first);
    assert.equal(await page.evaluate(() => Reflect.get(window, "isSameDocument")), true);
    assert.deepEqual(browserErrors, []);
  });

  for (const width of [390, 1440])
    test(`are painted by the server where the shell paints them, at ${width}`, async ({ newVisitor }) => {
      const { page } = await newVisitor({ viewport: { width, height: 900 } });
      for (const path of ["/products?page=5&sort=newest", "/products?q=amber", "/products?q=none"]) {
        const release = await holdShell(page);
        await page.goto(shop.url + path);
        await page.evaluate(() => document.fonts.ready);
        const painted = await places(page);
        await release();
        await page.locator("#root").waitFor({ state: "detached" });
        assert.deepEqual(await places(page), painted, path);
      }
    });

  test("are leafed through, ordered and searched without scripts", async ({ newVisitor }) => {
    const { page } = await newVisitor({ javaScriptEnabled: false });
    await page.goto(`${shop.url}/products`);
    await page.getByRole("link", { name: "Newest" }).click();
    await page.getByRole("link", { name: "Next page" }).click();
    await arrivesAt(page, "/products?sort=newest&page=2");
    await page.getByRole("searchbox").fill("amber");
    await page.getByRole("button", { name: "Search" }).click();
    await arrivesAt(page, "/products?q=amber&sort=newest");
    await sees(page, "10 products for “amber”");
  });

  test("have a menu eight entries high, with all products below, and letters to jump by", async ({ newVisitor }) => {
    const { page } = await newVisitor({ viewport: { width: 1280, height: 900 } });
    await opens(page, "/about");
    await page.getByRole("button", { name: "Products" }).press("Enter");
    const focused = (/** @type {string} */ name) =>
      page.waitForFunction((text) => document.activeElement?.textContent === text, name);
    await expect(page.getByRole("menuitem")).toHaveCount(205);
    await focused(await page.getByRole("menuitem").first().innerText());
    const all = page.getByRole("menuitem", { name: "All products" });
    const [item, box] = [
      await page.getByRole("menuitem").first().boundingBox(),
      await page.getByRole("menu").boundingBox(),
    ];
    assert.ok(item && box && box.height < 11 * item.height, `${box?.height} of ${item?.height} each`);
    assert.ok(await all.isVisible());
    await page.keyboard.press("ArrowUp");
    await focused("All products");
    await page.keyboard.press("Home");
    await page.keyboard.press("m");
    await focused("Nudgelight Moss Arc");
    await page.keyboard.press("End");
    await focused("All products");
    assert.deepEqual(await violationsOf(page), []);
    await page.keyboard.press("Enter");
    await arrivesAt(page, "/products");
    await resize(page, 390, 844);
    await page.getByRole("button", { name: "Open menu" }).click();
    assert.ok(await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Login" }).isVisible());
  });

  test("fit into a narrow window, with targets that fingers hit, and nothing for axe", async ({ newVisitor }) => {
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      const { page } = await newVisitor({ viewport: { width: 320, height: 800 }, colorScheme });
      for (const path of ["/products", "/products?page=5", "/products?q=amber", "/products?q=none"]) {
        await opens(page, path);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 320), path);
        const small = await page.evaluate(() =>
          [...document.querySelectorAll("main :is(nav a, button, input)")]
            .filter((element) => {
              const { width, height } = element.getBoundingClientRect();
              return width > 0 && (width < 24 || height < 24);
            })
            .map((element) => element.textContent),
        );
        assert.deepEqual(small, [], path);
        assert.deepEqual(await violationsOf(page), [], path);
      }
    }
  });

  test("do not weigh on a page, and the cart asks for its own", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    /** @type {string[]} */
    const asked = [];
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith("/api/product")) asked.push(pathname + search);
    });
    await opens(page, "/products/nudgelight-one");
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await sees(page, "Nudgelight One was added to your cart.");
    const [{ id }] = await page.evaluate(() => JSON.parse(localStorage.getItem("cart") ?? "[]"));
    await opens(page, "/cart");
    await page.getByRole("link", { name: "Nudgelight One" }).first().waitFor();
    // More than 200 names are not embedded.
    assert.deepEqual(new Set(asked), new Set(["/api/product-names", `/api/products?ids=${id}`]));
  });
});
