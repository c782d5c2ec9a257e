// Runs each example with the packed packages, against a running shop.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { DEMO_PASSWORD, openShop } from "../../react-shell/e2e/shop.mjs";
import { stubStripeJs } from "../../react-shell/e2e/stripe-js-stub.mjs";

const here = import.meta.dirname;
const run = promisify(execFile);
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const VITE = join(here, "node_modules/vite/bin/vite.js");
const CALIFORNIA = { country: "US", state: "CA" };

/** @type {import("../../react-shell/e2e/shop.mjs").Shop} */
let shop;
/** A site of another origin, with the files of an example. */
let site;
const cleanups = [];

before(async () => {
  site = await openSite();
  cleanups.push(site.close);
  shop = await openShop({ SHOP_CORS_ORIGINS: site.origin });
  cleanups.push(shop.close);
});
after(() => Promise.all(cleanups.map((cleanup) => cleanup())));

test("node-quote prints the quote of a cart file", async () => {
  const { stdout } = await run(process.execPath, ["quote.mjs", shop.url, "cart.json"], {
    cwd: join(here, "node-quote"),
  });
  assert.match(stdout, /^2 × Nudgelight One at \$24\.99\n/);
  assert.match(stdout, /\nSales tax \(7\.25%\) \$[\d.]+\nTotal \$[\d.]+\n$/);
});

test("vue-page shows the price of an order", async () => {
  const cwd = join(here, "vue-page");
  await run(process.execPath, [VITE, "build"], { cwd, env: { ...process.env, VITE_SHOP: shop.url } });
  site.folder = join(cwd, "dist");
  const page = await openPage(site.origin);
  await page.getByLabel("Light").selectOption({ label: "Nudgelight One, $24.99" });
  await page.getByLabel("Quantity").fill("2");
  const total = await page.getByRole("status").textContent();
  assert.equal(total?.trim(), "$49.98 + $6.20 shipping + $3.62 tax = $59.80");
  await page.getByLabel("Quantity").fill("1.5");
  assert.match((await page.getByRole("alert").textContent()) ?? "", /whole number/);
});

test("sveltekit-route returns quotes, and errors of its own for bad requests", async () => {
  const cwd = join(here, "sveltekit-route");
  await run(process.execPath, [VITE, "build"], { cwd });
  const port = await freePort();
  start(process.execPath, [VITE, "preview", "--host", "127.0.0.1", "--port", `${port}`], {
    cwd,
    env: { SHOP: shop.url },
  });
  const quote = (body) => requestJson(`http://127.0.0.1:${port}/quote`, body);
  const request = { product: "nudgelight-one", quantity: 2, address: CALIFORNIA };
  const [status, { total }] = await quote(request);
  assert.deepEqual([status, total], [200, 59.8]);
  assert.equal((await quote({ ...request, product: "no-such-light" }))[0], 404);
  assert.equal((await quote({ ...request, quantity: 0 }))[0], 422);
  const [wrongType, { message }] = await quote({ ...request, quantity: "two" });
  assert.equal(wrongType, 400);
  assert.match(message, /quantity/);
});

test("worker returns quotes from workerd", async () => {
  const cwd = join(here, "worker");
  await run(process.execPath, ["build.mjs"], { cwd });
  const port = await freePort();
  const listen = `--socket-addr=http=127.0.0.1:${port}`;
  start(join(here, "node_modules/.bin/workerd"), ["serve", "config.capnp", listen], { cwd, env: { SHOP: shop.url } });
  const quote = async (query) => (await requestJson(`http://127.0.0.1:${port}/?${query}`))[1];
  assert.equal((await quote("product=nudgelight-one&quantity=2&state=CA")).total, 59.8);
  assert.equal((await quote("product=nudgelight-one&quantity=2&state=XX")).field, "address.state");
  assert.equal((await quote("product=no-such-light")).error, "Product not found");
});

test("html-page has a buy button that leads to the shop's cart", async () => {
  site.folder = join(here, "html-page");
  site.replacement = ["https://shop.example", shop.url];
  const page = await openPage(site.origin);
  await page.getByLabel("Quantity").fill("2");
  await page.getByRole("button", { name: "Add to Cart" }).click();
  await page.waitForURL((url) => url.origin === shop.url && url.pathname === "/cart");
});

test("deno-quote imports the shop's modules and prints the total", async () => {
  const folder = await mkdtemp(join(tmpdir(), "nudgelight-deno-"));
  cleanups.push(() => rm(folder, { recursive: true }));
  const program = await readFile(join(here, "deno-quote/quote.mjs"), "utf8");
  await writeFile(join(folder, "quote.mjs"), program.replaceAll("https://shop.example", shop.url));
  const { host } = new URL(shop.url);
  const permissions = [`--allow-import=${host}`, `--allow-net=${host}`];
  const env = { ...process.env, DENO_DIR: join(folder, "cache"), DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" };
  const deno = join(here, "node_modules/.bin/deno");
  const { stdout } = await run(deno, ["run", "--quiet", "--no-prompt", ...permissions, "quote.mjs"], {
    cwd: folder,
    env,
  });
  assert.equal(stdout, "Total $59.80\n");
});

test("checkout-page takes a cart to a paid order", async () => {
  const { url, secretKey, publishableKey } = shop.mockStripe;
  const seller = await openShop({
    SHOP_CORS_ORIGINS: site.origin,
    SHOP_BOT_CHECK: "off",
    SHOP_TAX: "table",
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_WEBHOOK_SECRET: "whsec_of_no_endpoint",
    STRIPE_API_BASE: url,
  });
  cleanups.push(seller.close);
  site.folder = join(here, "checkout-page");
  site.replacement = ["https://shop.example", seller.url];
  const page = await openPage("about:blank");
  await stubStripeJs(page.context(), url);
  await page.goto(site.origin);
  const add = page.getByRole("button", { name: "Add Nudgelight One, $24.99" });
  await add.click();
  await add.click();
  await page.getByText("2 × Nudgelight One: $49.98").waitFor();
  await page.getByLabel("State").selectOption("California");
  await page.getByText("Total $59.80").waitFor();

  const proceed = page.getByRole("button", { name: "Continue to Payment" });
  const message = page.getByRole("alert");
  await proceed.click();
  await message.filter({ hasText: /./ }).waitFor();
  for (const [label, text] of [
    ["Full name", "Ada Lovelace"],
    ["Address", "12 Front St"],
    ["City", "Los Angeles"],
    ["ZIP code", "90210"],
    ["Email", "customer@nudgelight.example"],
    ["Password", DEMO_PASSWORD],
  ])
    await page.getByLabel(label, { exact: true }).fill(text);
  await proceed.click();

  const pay = page.getByRole("button", { name: "Pay $59.80" });
  const card = page.frameLocator("iframe").getByLabel("Card number");
  await card.fill("4000000000000002");
  await pay.click();
  await message.filter({ hasText: "declined" }).waitFor();
  await card.fill("4242424242424242");
  await pay.click();
  const receipt = page.getByRole("status").filter({ hasText: /^Order/ });
  assert.match((await receipt.textContent()) ?? "", /^Order \d+: \$59\.80, Paid$/);
});

test("quote.rs prints the same total", async () => {
  const program = join(process.env["SHOP_SERVER"] ?? "../../target/debug/nudgelight", "../examples/quote");
  const quote = spawn(program, ["CA"]);
  quote.stdin.end("2 24.99 0.6\n");
  assert.match(await text(quote.stdout), /\nTotal \$59\.80\n$/);
});

/** Another origin than the shop's, which serves the files of `folder`. */
async function openSite() {
  const site = { origin: "", folder: here, replacement: ["", ""], close: () => server.close() };
  const types = { ".html": "text/html", ".js": "text/javascript" };
  const server = createServer(async ({ url }, response) => {
    const file = url === "/" ? "index.html" : `.${url}`;
    const contents = await readFile(join(site.folder, file), "utf8").catch(() => undefined);
    response.writeHead(contents === undefined ? 404 : 200, { "content-type": types[extname(file)] ?? "text/plain" });
    response.end(contents?.replaceAll(...site.replacement));
  });
  await once(server.listen(0, "localhost"), "listening");
  site.origin = `http://localhost:${server.address().port}`;
  return site;
}

async function openPage(url) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
  cleanups.push(() => browser.close());
  const page = await browser.newPage();
  await page.goto(url);
  return page;
}

/** Starts a server that runs until the end of the tests. */
function start(program, args, { cwd, env }) {
  const server = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: "inherit" });
  cleanups.push(() => server.kill());
}

/** Sends a request once the server listens: the status and the JSON of its response. */
async function requestJson(url, body) {
  const headers = { accept: "application/json", "content-type": "application/json" };
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  for (const end = Date.now() + 60_000; Date.now() < end;) {
    const response = await fetch(url, init).catch(() => undefined);
    if (response) return [response.status, await response.json()];
    await sleep(100);
  }
  throw new Error(`${url} does not respond`);
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  await promisify(server.close.bind(server))();
  return port;
}
