// Runs each example with the packed packages, against a running shop.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { openShop } from "../../react-shell/e2e/shop.mjs";

const here = import.meta.dirname;
const run = promisify(execFile);
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const VITE = join(here, "node_modules/vite/bin/vite.js");
const CALIFORNIA = { country: "US", state: "CA" };

/** @type {import("../../react-shell/e2e/shop.mjs").Shop} */
let shop;
let page;
const closing = [];

before(async () => {
  page = await serveFiles();
  shop = await openShop({ SHOP_CORS_ORIGINS: page.origin });
  closing.push(shop.close, page.close);
});
after(() => Promise.all(closing.map((close) => close())));

test("node-quote prints the quote of a cart file", async () => {
  const { stdout } = await run(process.execPath, ["quote.mjs", shop.url, "cart.json"], { cwd: join(here, "node-quote") });
  assert.match(stdout, /^2 × Nudgelight One at \$24\.99\n/);
  assert.match(stdout, /\nSales tax \(7\.25%\) \$[\d.]+\nTotal \$[\d.]+\n$/);
});

test("vue-page shows the price of an order", async () => {
  const folder = await copyOf("vue-page");
  await run(process.execPath, [VITE, "build"], { cwd: folder, env: { ...process.env, VITE_SHOP: shop.url } });
  page.folder = join(folder, "dist");
  const browser = await openBrowser();
  const tab = await browser.newPage();
  await tab.goto(page.origin);
  await tab.getByLabel("Light").selectOption({ label: "Nudgelight One, $24.99" });
  await tab.getByLabel("Quantity").fill("2");
  assert.equal((await tab.getByRole("status").textContent())?.trim(), "$49.98 + $6.20 shipping + $3.62 tax = $59.80");
  await tab.getByLabel("Quantity").fill("1.5");
  assert.match((await tab.getByRole("alert").textContent()) ?? "", /whole number/);
});

test("sveltekit-route returns quotes, and errors of its own for bad requests", async () => {
  const folder = await copyOf("sveltekit-route");
  await run(process.execPath, [VITE, "build"], { cwd: folder });
  const url = await start(process.execPath, ["build"], folder, /Listening on (\S+)/, { HOST: "127.0.0.1", PORT: "0" });
  const quote = async (body) => {
    const response = await fetch(new URL("/quote", url), {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(body),
    });
    return [response.status, await response.json()];
  };
  const request = { product: "nudgelight-one", quantity: 2, address: CALIFORNIA };
  const [status, { total }] = await quote(request);
  assert.deepEqual([status, total], [200, 59.8]);
  assert.equal((await quote({ ...request, product: "no-such-light" }))[0], 404);
  assert.equal((await quote({ ...request, quantity: 0 }))[0], 422);
  assert.equal((await quote({ ...request, quantity: "two" }))[0], 400);
});

test("worker returns quotes from workerd", async () => {
  const folder = await copyOf("worker");
  await run(process.execPath, ["build.mjs"], { cwd: folder });
  const workerd = join(here, "node_modules/workerd/bin/workerd");
  const port = await freePort();
  await start(workerd, ["serve", "config.capnp", `--socket-addr=http=127.0.0.1:${port}`], folder);
  const quote = async (query) => (await responseOf(`http://127.0.0.1:${port}/?${query}`)).json();
  assert.equal((await quote("product=nudgelight-one&quantity=2&state=CA")).total, 59.8);
  assert.equal((await quote("product=nudgelight-one&quantity=2&state=XX")).field, "address.state");
  assert.equal((await quote("product=no-such-light")).error, "Product not found");
});

test("html-page has a buy button that leads to the shop's cart", async () => {
  const folder = await copyOf("html-page");
  page.folder = folder;
  page.edit = (html) => html.replaceAll("https://shop.example", shop.url);
  const browser = await openBrowser();
  const tab = await browser.newPage();
  await tab.goto(page.origin);
  await tab.getByLabel("Quantity").fill("2");
  await tab.getByRole("button", { name: "Add to Cart" }).click();
  await tab.waitForURL(/\/cart/);
  assert.equal(new URL(tab.url()).origin, shop.url);
});

test("quote.rs prints the same total", async () => {
  const quote = spawn(join(process.env["SHOP_SERVER"] ?? "", "../examples/quote"), ["CA"]);
  quote.stdin.end("2 24.99 0.6\n");
  const [output] = await Promise.all([text(quote.stdout), new Promise((resolve) => quote.once("exit", resolve))]);
  assert.match(output, /\nTotal \$59\.80\n$/);
});
