// Pages of other origins in a browser: a listed one uses the API for customers, another one only embeds public files.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "./fixtures.mjs";
import { DEMO_PASSWORD, openShop } from "./shop.mjs";

/** @typedef {import("@playwright/test").Page} Page */

/** Serves an empty page at an origin of its own. */
async function openSite() {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<!doctype html><title>Another site</title>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return { origin: `http://localhost:${address.port}`, close: () => server.close() };
}

/**
 * A request from the page: status and body, or the error's name.
 *
 * @param {Page} page
 * @param {string} path
 * @param {{ method?: string, body?: unknown, token?: string }} [options]
 */
function requests(page, path, options = {}) {
  return page.evaluate(async ([url, { method, body, token }]) => {
    /** @type {Record<string, string>} */
    const headers = { "content-type": "application/json" };
    if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
    try {
      const response = await fetch(url, { method: method ?? "GET", headers, body: JSON.stringify(body) ?? null });
      return { status: response.status, id: response.headers.get("x-request-id"), body: await response.json() };
    } catch (error) {
      return { failed: error instanceof TypeError };
    }
  }, /** @type {const} */ ([path, options]));
}

/** Whether the page displays an image. @param {Page} page @param {string} src */
function displays(page, src) {
  return page.evaluate(async (url) => {
    const image = new Image();
    image.src = url;
    return image.decode().then(
      () => true,
      () => false,
    );
  }, src);
}

/** The names that a module script of another origin exports. @param {Page} page @param {string} src */
function imports(page, src) {
  return page.evaluate((url) => import(url).then(Object.keys), src);
}

test("a listed origin reads, logs in and sees its customer's orders; another origin embeds only", async ({
  newVisitor,
}) => {
  const [listed, other] = await Promise.all([openSite(), openSite()]);
  const shop = await openShop({ SHOP_CORS_ORIGINS: listed.origin, SHOP_BOT_CHECK: "off" });
  const credentials = { username: "customer@nudgelight.example", password: DEMO_PASSWORD, recaptchaToken: "" };
  const login = { method: "POST", body: credentials };
  try {
    const { page } = await newVisitor();
    await page.goto(listed.origin);
    const button = await requests(page, `${shop.url}/api/products/nudgelight-one/buy-button`);
    assert.equal(button.body.price, "$24.99");
    assert.ok(button.id, "the request id is exposed");
    const { body: tokens } = await requests(page, `${shop.url}/api/auth/login`, login);
    const token = tokens.accessToken;
    const orders = await requests(page, `${shop.url}/api/user/orders`, { token });
    assert.deepEqual([orders.status, orders.body.total], [200, 0]);
    const missing = await requests(page, `${shop.url}/api/products/nothing`, { token });
    assert.equal(missing.body.code, "NotFound");
    assert.deepEqual(await requests(page, `${shop.url}/api/admin/overview`, { token }), { failed: true });

    await page.goto(other.origin);
    assert.deepEqual(await requests(page, `${shop.url}/api/products`), { failed: true });
    assert.deepEqual(await requests(page, `${shop.url}/api/auth/login`, login), { failed: true });
    assert.ok(await displays(page, `${shop.url}/images/nudgelight-one.svg`));
    assert.ok(!(await displays(page, `${shop.url}/icon-192.png`)), "other files keep their resource policy");
    for (const module of ["buy", "client", "core", "schedule", "tax"])
      assert.ok((await imports(page, `${shop.url}/sdk/${module}.js`)).length > 0, module);
  } finally {
    await shop.close();
    listed.close();
    other.close();
  }
});
