// The built client against a running shop.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { createShop, ShopError } from "../dist/index.js";
import { DEMO_PASSWORD, openShop } from "../../../react-shell/e2e/shop.mjs";

const CREDENTIALS = { username: "customer@nudgelight.example", password: DEMO_PASSWORD };
const ADDRESS = { line1: "12 Lamp Street", city: "Brightwater", state: "CA", postal_code: "94110", country: "US" };

/** @type {import("../../../react-shell/e2e/shop.mjs").Shop} */
let server;

before(async () => {
  server = await openShop({ SHOP_BOT_CHECK: "off" });
});
after(() => server.close());

/** A client whose requests and tokens the test can see. */
function observed({ baseUrl = server.url, tokens = undefined, ...options } = {}) {
  const requests = [];
  const storage = { tokens, load: () => storage.tokens, save: (next) => (storage.tokens = next) };
  const fetch = (request) => {
    requests.push(`${request.method} ${new URL(request.url).pathname}`);
    return globalThis.fetch(request);
  };
  const shop = createShop({ baseUrl, tokens: storage, fetch, ...options });
  const sent = (request) => requests.filter((one) => one === request).length;
  return { shop, storage, requests, sent };
}

async function loggedIn(options) {
  const client = observed(options);
  await client.shop.login(CREDENTIALS);
  return client;
}

/** The error of a promise that must reject with a ShopError. */
async function shopError(promise) {
  const error = await promise.then(
    () => assert.fail("it was accepted"),
    (reason) => reason,
  );
  assert.ok(error instanceof ShopError, String(error));
  return error;
}

describe("a client without an account", () => {
  test("reads the catalog, as an ES module and as CommonJS", async () => {
    const { createShop: required } = createRequire(import.meta.url)("../dist/index.cjs");
    for (const create of [createShop, required]) {
      const products = await create({ baseUrl: server.url }).get("/api/products");
      assert.equal(products.find(({ name }) => name === "Nudgelight One")?.price, 24.99);
    }
  });

  test("gets the shop's code, message and request ID of an error", async () => {
    const { shop } = observed();
    const error = await shopError(shop.get("/api/products/{id}", { params: { path: { id: "no-such-light" } } }));
    assert.deepEqual([error.status, error.code, error.message], [404, "NotFound", "Product not found"]);
    assert.match(error.requestId ?? "", /\S{8}/);
  });

  test("gets a message for the invalid field", async () => {
    const { shop } = observed();
    const error = await shopError(shop.post("/api/auth/confirm-email", { body: { username: "kit", code: "12" } }));
    assert.equal(error.code, "InvalidRequest");
    assert.deepEqual(Object.keys(error.fields), ["username"]);
    assert.match(error.fields["username"], /email address/);
  });

  test("is refused what needs an account", async () => {
    const error = await shopError(observed().shop.get("/api/user/orders"));
    assert.deepEqual([error.status, error.code], [401, "Unauthenticated"]);
  });
});

describe("a session", () => {
  test("carries its token until the logout, which ends it in the shop, too", async () => {
    const { shop, storage } = await loggedIn();
    const { tokens } = storage;
    assert.ok(Array.isArray((await shop.get("/api/user/orders")).orders));
    await shop.logout();
    assert.equal(storage.tokens, undefined);
    assert.equal((await shopError(shop.get("/api/user/orders"))).code, "Unauthenticated");
    const copy = observed({ tokens: { ...tokens, expires_at: 0 } });
    assert.equal((await shopError(copy.shop.get("/api/user/orders"))).code, "Unauthenticated");
    assert.equal(copy.storage.tokens, undefined);
  });

  test("does not start with a wrong password", async () => {
    const { shop, storage } = observed();
    const error = await shopError(shop.login({ ...CREDENTIALS, password: "not the password" }));
    assert.deepEqual([error.status, error.code, storage.tokens], [401, "BadCredentials", undefined]);
  });

  test("is refreshed once before it expires, however many requests wait for it", async () => {
    const { shop, storage, sent } = await loggedIn();
    const old = storage.tokens;
    assert.ok(old.expires_at > Date.now() + 14 * 60_000 && old.expires_at < Date.now() + 16 * 60_000);
    storage.tokens = { ...old, expires_at: Date.now() + 30_000 };
    await Promise.all(Array.from({ length: 20 }, () => shop.get("/api/user/orders")));
    assert.equal(sent("POST /api/auth/refresh-token"), 1);
    assert.equal(sent("GET /api/user/orders"), 20);
    assert.notEqual(storage.tokens.refreshToken, old.refreshToken);
  });

  test("survives two processes that refresh at the same moment", async () => {
    const { storage } = await loggedIn();
    storage.tokens = { ...storage.tokens, expires_at: 0 };
    const copies = [1, 2].map(() => createShop({ baseUrl: server.url, tokens: storage }));
    await Promise.all(copies.map((shop) => shop.get("/api/user/orders")));
    storage.tokens = { ...storage.tokens, expires_at: 0 };
    for (const shop of copies) await shop.get("/api/user/orders");
  });

  test("is refreshed when the shop rejects the access token, and the request is repeated", async () => {
    const { shop, storage, sent } = await loggedIn();
    storage.tokens = { ...storage.tokens, accessToken: "rejected" };
    const address = { name: "Ada Lovelace", address: ADDRESS };
    const [product] = await shop.get("/api/products");
    const items = [{ product_id: product.id, quantity: 1 }];
    await shop.post("/api/payments/create-intent", { body: { currency: "usd", items, shippingAddress: address } });
    assert.equal(sent("POST /api/auth/refresh-token"), 1);
    assert.equal(sent("POST /api/payments/create-intent"), 2);
  });

  test("that ended elsewhere leaves public requests alone", async () => {
    const { shop, storage } = observed({
      tokens: { accessToken: "old", refreshToken: "unknown", expires_at: 0 },
    });
    assert.ok((await shop.get("/api/products")).length > 0);
    assert.equal(storage.tokens, undefined);
  });

  test("is not revived by a refresh that a logout overtakes", async () => {
    const { shop, storage } = await loggedIn();
    storage.tokens = { ...storage.tokens, expires_at: 0 };
    await Promise.all([shop.get("/api/products"), shop.logout()]);
    assert.equal(storage.tokens, undefined);
  });

  test("has typed details in a conflict", async () => {
    const { shop } = await loggedIn();
    const product = await shop.get("/api/products/{id}", { params: { path: { id: "nudgelight-halo" } } });
    const items = [{ product_id: product.id, quantity: product.available + 1 }];
    const shippingAddress = { name: "Ada Lovelace", address: ADDRESS };
    const body = { currency: "usd", items, shippingAddress };
    const error = await shopError(shop.post("/api/payments/create-intent", { body }));
    assert.ok(error.is("InsufficientStockError"));
    assert.equal(error.details.product, product.name);
    assert.equal(error.details.requested, product.available + 1);
  });
});

describe("a shop with a proof of work and rate limits", () => {
  let guarded;
  before(async () => {
    guarded = await openShop();
  });
  after(() => guarded.close());

  test("lets the client in, which solves the proof", async () => {
    const { shop, storage } = observed({ baseUrl: guarded.url });
    const { device_token } = await shop.login(CREDENTIALS);
    assert.ok(device_token.length > 20 && storage.tokens.refreshToken);
  });

  test("refuses too many attempts with the time to wait, and the client repeats none of them", async () => {
    const { shop, sent } = observed({ baseUrl: guarded.url });
    const attempt = (_, i) => shop.post("/api/auth/forgot-password", { body: { username: `kit${i}@example.com` } });
    const results = await Promise.allSettled(Array.from({ length: 40 }, attempt));
    const error = await shopError(Promise.reject(results.find(({ status }) => status === "rejected")?.reason));
    assert.deepEqual([error.status, error.code], [429, "TooManyRequests"]);
    assert.ok(error.retryAfter > 0, String(error.retryAfter));
    assert.equal(sent("POST /api/auth/forgot-password"), 40);
  });
});

describe("a shop behind a proxy that is busy", () => {
  /** @type {{ url: string, replies: [number, Record<string, string>, string][], close(): void }} */
  let proxy;
  before(async () => {
    proxy = await openProxy(server.url);
  });
  after(() => proxy.close());

  test("is asked again after Retry-After", async () => {
    proxy.replies = [
      [429, { "retry-after": "1" }, ""],
      [503, { "retry-after": new Date(Date.now() + 1_000).toUTCString() }, ""],
    ];
    const { shop, sent } = observed({ baseUrl: proxy.url });
    const start = Date.now();
    assert.ok((await shop.get("/api/products")).length > 0);
    assert.ok(Date.now() - start >= 1_000);
    assert.equal(sent("GET /api/products"), 3);
  });

  test("is asked three times at most, and once if the wait is too long or the request is not idempotent", async () => {
    const { shop, sent } = observed({ baseUrl: proxy.url });
    proxy.replies = Array.from({ length: 3 }, () => [503, { "retry-after": "0" }, ""]);
    assert.equal((await shopError(shop.get("/api/products"))).status, 503);
    assert.equal(sent("GET /api/products"), 3);
    proxy.replies = [[429, { "retry-after": "3600" }, ""]];
    assert.equal((await shopError(shop.get("/api/config"))).retryAfter, 3_600);
    proxy.replies = [[503, { "retry-after": "0" }, ""]];
    const forgotten = shop.post("/api/auth/forgot-password", { body: { username: "kit@example.com" } });
    assert.equal((await shopError(forgotten)).status, 503);
    assert.equal(sent("POST /api/auth/forgot-password"), 1);
  });

  test("stops waiting when the signal aborts", async () => {
    proxy.replies = [[503, { "retry-after": "20" }, ""]];
    const { shop } = observed({ baseUrl: proxy.url });
    const start = Date.now();
    await assert.rejects(shop.get("/api/products", { signal: AbortSignal.timeout(200) }), { name: "TimeoutError" });
    assert.ok(Date.now() - start < 5_000);
  });

  test("can send pages of its own, which are an InvalidResponse", async () => {
    const { shop } = observed({ baseUrl: proxy.url });
    proxy.replies = [[502, { "content-type": "text/html" }, "<h1>Bad Gateway</h1>"]];
    const bad = await shopError(shop.get("/api/products"));
    assert.deepEqual([bad.status, bad.code, bad.requestId], [502, "InvalidResponse", undefined]);
    proxy.replies = [[200, { "content-type": "text/html" }, "<h1>Welcome</h1>"]];
    assert.deepEqual((await shopError(shop.get("/api/products"))).code, "InvalidResponse");
  });
});

test("the first example of the README runs as printed", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const [, example = ""] = /```js\n(.*?)```/s.exec(readme) ?? [];
  const program = example.replace("@nudgelight/client", "./dist/index.js").replace("https://shop.example", server.url);
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: new URL("../", import.meta.url),
  });
  assert.match(stdout, /^Nudgelight One 24\.99$/m);
});

test("an aborted request rejects with the signal's reason, and others keep waiting for the refresh", async () => {
  const { shop, storage, sent } = await loggedIn();
  storage.tokens = { ...storage.tokens, expires_at: 0 };
  const controller = new AbortController();
  const aborted = shop.get("/api/user/orders", { signal: controller.signal });
  const other = shop.get("/api/user/orders");
  controller.abort(new Error("the customer left"));
  await assert.rejects(aborted, /the customer left/);
  assert.ok((await other).orders);
  assert.equal(sent("POST /api/auth/refresh-token"), 1);
  await assert.rejects(shop.get("/api/products", { signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("without a network the error is a NetworkError, and the session stays", async () => {
  const { shop, storage } = await loggedIn();
  const tokens = { ...storage.tokens, expires_at: 0 };
  const offline = observed({ baseUrl: "http://127.0.0.1:9", tokens });
  const error = await shopError(offline.shop.get("/api/products"));
  assert.deepEqual([error.status, error.code], [0, "NetworkError"]);
  assert.ok(error.cause instanceof TypeError);
  assert.deepEqual(offline.storage.tokens, tokens);
  await shop.logout();
});

test("an invalid option or path is a TypeError that names it", async () => {
  for (const baseUrl of [undefined, "", "shop.example", "ftp://shop.example", 7]) {
    assert.throws(() => createShop({ baseUrl }), { name: "TypeError", message: /^baseUrl: / });
  }
  for (const retries of [-1, 1.5, Infinity, "2"]) {
    assert.throws(() => createShop({ baseUrl: server.url, retries }), { name: "TypeError", message: /^retries: / });
  }
  const { shop, requests } = observed();
  for (const path of [undefined, "", "@stranger.example/", "https://stranger.example/"]) {
    await assert.rejects(shop.get(path), { name: "TypeError", message: /^path: / });
  }
  const missing = /** @type {any} */ ({ params: { path: {} } });
  const rejection = { name: "TypeError", message: /^params\.path\.id: / };
  await assert.rejects(shop.get("/api/products/{id}", missing), rejection);
  assert.deepEqual(requests, []);
});

test("the access token goes to no other address, even if a request names one", async () => {
  const { shop } = await loggedIn();
  const stranger = await openProxy(server.url);
  stranger.replies = [[200, {}, "{}"]];
  const { orders } = await shop.get("/api/user/orders", { baseUrl: stranger.url });
  assert.ok(Array.isArray(orders));
  assert.equal(stranger.replies.length, 1);
  stranger.close();
});

/** A server that sends its replies first, and then what the shop responds. */
async function openProxy(target) {
  const proxy = { url: "", replies: [], close: () => server.close() };
  const server = createServer(async (request, response) => {
    const [status, headers, body] = proxy.replies.shift() ?? (await forwarded(target + request.url));
    response.writeHead(status, headers).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy.url = `http://127.0.0.1:${server.address().port}`;
  return proxy;
}

async function forwarded(url) {
  const response = await fetch(url);
  return [response.status, { "content-type": response.headers.get("content-type") }, await response.text()];
}
