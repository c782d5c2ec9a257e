// The buy button on a page of another origin, whose content security policy allows nothing but the shop.
import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { expect, test } from "@playwright/test";
import { By } from "selenium-webdriver";
import { violationsOf } from "./axe.mjs";
import { browserErrors as firefoxErrors, openFirefox } from "./firefox.mjs";
import { openVisitor } from "./fixtures.mjs";
import { DEMO_PASSWORD, openShop } from "./shop.mjs";
import { openWebKit } from "./webkit.mjs";

/** @typedef {import("./shop.mjs").Shop} Shop */
/** @typedef {Awaited<ReturnType<typeof openSite>>} Site */

const ONE = '<nudgelight-buy product="nudgelight-one"></nudgelight-buy>';

/** @type {Site} */
let site;
/** @type {Shop} */
let shop;

test.beforeAll(async () => {
  site = await openSite();
  shop = await openShop({ SHOP_CORS_ORIGINS: site.origin, SHOP_BOT_CHECK: "off" });
  site.shop = shop.url;
});
test.afterAll(async () => {
  await shop.close();
  site.close();
});

test("a visitor orders two lights with the keyboard, and the policy blocks nothing", async ({ browser }) => {
  const { page, context, browserErrors } = await openVisitor(browser);
  await page.goto(site.with(ONE));
  await expect(page.getByRole("group", { name: "Nudgelight One" })).toBeVisible();
  await expect(page.getByText("$24.99")).toBeVisible();
  await expect(page.getByText("In Stock")).toBeVisible();
  const picture = page.getByRole("img");
  await expect
    .poll(() => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
    .toBeTruthy();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Nudgelight One" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.type("2");
  await expect(page.getByLabel("Quantity")).toHaveValue("2");
  assert.deepEqual(browserErrors, []);
  const request = page.waitForRequest((one) => one.isNavigationRequest());
  await page.keyboard.press("Enter");
  assert.match((await request).url(), new RegExp(`^${shop.url}/cart\\?add=[^:]+:2$`));
  await page.waitForURL((url) => url.origin === shop.url && url.pathname === "/cart");
  await context.close();
});

test("a wrong quantity is announced at its field, and nothing is ordered", async ({ browser }) => {
  const { page, context } = await openVisitor(browser);
  await page.goto(site.with(ONE));
  const quantity = page.getByLabel("Quantity");
  for (const [typed, error] of [
    ["", /whole number/],
    ["0", /from 1 to/],
    ["1.5", /whole number/],
    ["100000", /from 1 to/],
  ]) {
    await quantity.fill(String(typed));
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await expect(page.getByRole("alert")).toHaveText(error ?? "");
    await expect(quantity).toBeFocused();
    await expect(quantity).toHaveAttribute("aria-invalid", "true");
  }
  assert.equal(new URL(page.url()).origin, site.origin);
  await context.close();
});

test("a sold-out light has a disabled button that says why", async ({ browser }) => {
  await sellOut("nudgelight-mini");
  const { page, context } = await openVisitor(browser);
  await page.goto(site.with('<nudgelight-buy product="nudgelight-mini"></nudgelight-buy>'));
  const button = page.getByRole("button", { name: "Add to Cart" });
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await expect(button).toHaveAccessibleDescription("Out of Stock");
  await expect(page.getByLabel("Quantity")).toBeDisabled();
  await button.press("Enter");
  assert.equal(new URL(page.url()).origin, site.origin);
  await looks(page, "sold-out");
  await context.close();
});

test("an unknown light, a missing attribute and a wrong address are said, to the developer too", async ({
  browser,
}) => {
  for (const [html, text, message] of [
    [
      '<nudgelight-buy product="no-such-light"></nudgelight-buy>',
      "This product isn’t available.",
      /has no product "no-such-light"/,
    ],
    ["<nudgelight-buy></nudgelight-buy>", "This product can’t be shown.", /attribute "product"/],
    [
      '<nudgelight-buy product="nudgelight-one" shop="shop.example"></nudgelight-buy>',
      "This product can’t be shown.",
      /attribute "shop"/,
    ],
  ]) {
    const { page, context, browserErrors } = await openVisitor(browser);
    await page.goto(site.with(String(html)));
    await expect(page.getByRole("alert")).toHaveText(text ?? "");
    assert.match(browserErrors.join("\n"), /** @type {RegExp} */ (message));
    await expect(page.getByRole("button")).toHaveCount(0);
    await context.close();
  }
});

test("a failed connection can be tried again, and the focus stays in the card", async ({ browser }) => {
  const { page, context } = await openVisitor(browser);
  await page.route("**/buy-button", (route) => route.abort());
  await page.goto(site.with(ONE));
  await expect(page.getByRole("alert")).toHaveText("This product couldn’t be loaded.");
  await looks(page, "failed");
  await page.unroute("**/buy-button");
  await page.getByRole("button", { name: "Try Again" }).press("Enter");
  await expect(page.getByText("$24.99")).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Nudgelight One" })).toBeFocused();
  await context.close();
});

test("several buttons share a page, change their product, move, and leave while they load", async ({ browser }) => {
  const { page, context, browserErrors } = await openVisitor(browser);
  await page.goto(site.with(`${ONE}<nudgelight-buy product="nudgelight-halo"></nudgelight-buy>`));
  await expect(page.getByRole("group")).toHaveCount(2);
  await expect(page.getByRole("group", { name: "Nudgelight Halo" })).toBeVisible();
  await page.evaluate(() => {
    const [first, second] = document.querySelectorAll("nudgelight-buy");
    for (const product of ["a", "b", "nudgelight-duo"]) first?.setAttribute("product", product);
    if (second) document.querySelector("main")?.prepend(second);
    const left = document.createElement("nudgelight-buy");
    left.setAttribute("product", "nudgelight-one");
    document.body.append(left);
    left.remove();
  });
  await expect(page.getByRole("group", { name: "Nudgelight Duo" })).toBeVisible();
  await expect(page.getByRole("group").first()).toHaveAccessibleName("Nudgelight Halo");
  await expect(page.getByRole("group")).toHaveCount(2);
  assert.deepEqual(browserErrors, []);
  await context.close();
});

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`axe finds nothing, and the card fits on a small screen, in ${colorScheme}`, async ({ browser }) => {
    const { page, context } = await openVisitor(browser, { colorScheme, viewport: { width: 390, height: 900 } });
    await page.goto(site.with(`${ONE}<nudgelight-buy product="no-such-light"></nudgelight-buy>`));
    await expect(page.getByText("$24.99")).toBeVisible();
    await expect(page.getByRole("alert").first()).toBeAttached();
    await page.getByLabel("Quantity").fill("0");
    await page.getByLabel("Quantity").press("Enter");
    assert.deepEqual(await violationsOf(page), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await looks(page, colorScheme);
    await context.close();
  });
}

test("the button works in Firefox", async () => {
  const browser = await openFirefox();
  try {
    const page = await browser.newPage();
    const errors = firefoxErrors(page);
    await page.goto(site.with(ONE));
    const button = await page.locator("nudgelight-buy >>> button").waitHandle();
    await expect.poll(() => page.evaluate(pictureWidth)).toBeGreaterThan(0);
    await page.screenshot({ path: test.info().outputPath("firefox.png") });
    assert.deepEqual(errors, []);
    await button.click();
    await expect.poll(() => page.evaluate(() => location.origin + location.pathname)).toBe(`${shop.url}/cart`);
  } finally {
    await browser.close();
  }
});

test("the button works in WebKit", async () => {
  const { driver, close } = await openWebKit();
  try {
    await driver.get(site.with(ONE));
    const card = await driver.findElement(By.css("nudgelight-buy")).getShadowRoot();
    const visibleButton = async () => {
      const button = await card.findElement(By.css("button"));
      assert.ok(await button.isDisplayed());
      return button;
    };
    await expect(visibleButton).toPass({ timeout: 15_000 });
    await expect.poll(() => driver.executeScript(pictureWidth)).toBeGreaterThan(0);
    await writeFile(test.info().outputPath("webkit.png"), await driver.takeScreenshot(), "base64");
    await (await visibleButton()).click();
    await expect.poll(async () => new URL(await driver.getCurrentUrl()).pathname).toBe("/cart");
    await driver.quit();
  } finally {
    await close();
  }
});

/** The width of the loaded picture, in pixels. Runs in the page. */
function pictureWidth() {
  const image = document.querySelector("nudgelight-buy")?.shadowRoot?.querySelector("img");
  return image?.naturalWidth ?? 0;
}

/** A host site: pages of another origin than the shop's. */
async function openSite() {
  const found = {
    origin: "",
    shop: "",
    with: (/** @type {string} */ html) => `${found.origin}/?${encodeURIComponent(html)}`,
    close,
  };
  const server = createServer(({ url }, response) => {
    const { shop: from } = found;
    const policy = `default-src 'none'; script-src ${from}; connect-src ${from}; img-src ${from} data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
    response.writeHead(200, { "content-type": "text/html", "content-security-policy": policy });
    response.end(pageWith(from, decodeURIComponent(new URL(url ?? "", found.origin).search.slice(1))));
  });
  await once(server.listen(0, "localhost"), "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  found.origin = `http://localhost:${port}`;
  function close() {
    server.close();
    server.closeAllConnections();
  }
  return found;
}

/** @param {string} from @param {string} html */
function pageWith(from, html) {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A quieter desk</title>
    <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
    <link rel="icon" href="data:,"><script type="module" src="${from}/sdk/buy.js"></script></head>
    <body><main><h1>A quieter desk</h1>${html}</main></body></html>`;
}

/** @param {string} slug */
async function sellOut(slug) {
  const body = JSON.stringify({ username: "admin@nudgelight.example", password: DEMO_PASSWORD });
  const headers = { "content-type": "application/json" };
  const login = await fetch(`${shop.url}/api/auth/login`, { method: "POST", headers, body });
  const { accessToken } = await login.json();
  const { id } = await (await fetch(`${shop.url}/api/products/${slug}`)).json();
  const response = await fetch(`${shop.url}/api/products/${id}/stock`, {
    method: "PATCH",
    headers: { ...headers, authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ stock: 0 }),
  });
  assert.equal(response.status, 200);
}

/** @param {import("@playwright/test").Page} page @param {string} name */
function looks(page, name) {
  return page.screenshot({ path: test.info().outputPath(`${name}.png`), fullPage: true });
}
