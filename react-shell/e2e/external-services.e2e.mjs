import assert from "node:assert/strict";
import { actAsServices, openSiteVerify } from "./bot-services.mjs";
import { expectRejection, test } from "./fixtures.mjs";
import { DEMO_PASSWORD, openShop } from "./shop.mjs";
import { addsToCart, arrivesAt, logsIn, sees } from "./steps.mjs";

const CUSTOMER = "customer@nudgelight.example";
const ADMIN = "admin@nudgelight.example";
const PASSWORD = "four small lamps in a row";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("./fixtures.mjs").Visitor} Visitor */
/** @typedef {import("./fixtures.mjs").NewVisitor} NewVisitor */

/** @type {Awaited<ReturnType<typeof openSiteVerify>>} */
let siteVerify;

test.beforeAll(async () => {
  siteVerify = await openSiteVerify();
});

test.afterAll(async () => {
  siteVerify.close();
});

/** @param {string} kind */
function checkedBy(kind) {
  return {
    SHOP_BOT_CHECK: kind,
    BOT_CHECK_SITE_KEY: "site-key",
    BOT_CHECK_SECRET: "secret",
    BOT_CHECK_VERIFY_URL: siteVerify.url,
  };
}

/** Third-party hosts that received requests, by the path of the page. @param {Page} page */
function thirdPartyHosts(page) {
  /** @type {Map<string, Set<string>>} */
  const asked = new Map();
  page.on("request", (request) => {
    const { host, protocol } = new URL(request.url());
    const shown = new URL(page.url());
    if (!protocol.startsWith("http") || host === shown.host || shown.protocol === "about:") return;
    const hosts = asked.get(shown.pathname) ?? new Set();
    asked.set(shown.pathname, hosts.add(host));
  });
  return asked;
}

/** @param {Page} page @param {string} email */
async function fillsInRegister(page, email) {
  await page.goto("/register");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Confirm Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm Password").fill(PASSWORD);
}

for (const [kind, host] of /** @type {const} */ ([
  ["recaptcha", "www.google.com"],
  ["turnstile", "challenges.cloudflare.com"],
])) {
  test.describe(`with ${kind}`, () => {
    /** @type {Awaited<ReturnType<typeof openShop>>} */
    let shop;
    test.beforeAll(async () => {
      shop = await openShop(checkedBy(kind));
    });
    test.afterAll(() => shop.close());

    /** @param {NewVisitor} newVisitor @param {(visitor: Visitor) => Promise<void>} work */
    async function visits(newVisitor, work) {
      const who = await newVisitor({ baseURL: shop.url });
      await work(who);
      await who.context.close();
    }

    // invariant: cross-site-scripting
    test("a visitor registers and a customer logs in, and the policy stops nothing", ({ newVisitor }) =>
      visits(newVisitor, async ({ page, context, browserErrors }) => {
        await actAsServices(context);
        const asked = thirdPartyHosts(page);
        await fillsInRegister(page, "ada@example.com");
        await page.getByRole("button", { name: "Register" }).click();
        await arrivesAt(page, "/confirm-email");
        await logsIn(page, CUSTOMER, DEMO_PASSWORD);
        await page.getByRole("link", { name: "My Account" }).click();
        await arrivesAt(page, "/profile");
        assert.deepEqual(browserErrors, []);
        assert.ok(asked.get("/login")?.has(host) && asked.get("/register")?.has(host));
        assert.deepEqual([...asked.keys()].toSorted(), ["/login", "/register"]);
      }));

    test("a wrong password uses the token up, and the next try has a new one", ({ newVisitor }) =>
      visits(newVisitor, async ({ page, context }) => {
        await actAsServices(context);
        await page.goto("/login");
        await page.getByLabel("Email").fill(CUSTOMER);
        await page.getByLabel("Password", { exact: true }).fill("not the password");
        await page.getByRole("button", { name: "Login" }).click();
        await sees(page, "Incorrect email or password.");
        await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
        await page.getByRole("button", { name: "Login" }).click();
        await arrivesAt(page, "/");
      }));

    test("a blocked script is told of, and a sign-up waits until it is let through", ({ newVisitor }) =>
      visits(newVisitor, async ({ page, context }) => {
        await context.route(`https://${host}/**`, (route) => route.abort());
        await fillsInRegister(page, "grace@example.com");
        await sees(page, `The security check from ${host} couldn’t be loaded.`);
        await page.getByRole("button", { name: "Register" }).click();
        await page.getByRole("button", { name: "Checking…", disabled: true }).waitFor();
        await context.unrouteAll();
        await actAsServices(context);
        await page.getByRole("button", { name: "Try Again" }).click();
        await arrivesAt(page, "/confirm-email");
      }));

    test("without a script one logs in only while the service is down", ({ newVisitor }) =>
      visits(newVisitor, async ({ page, context }) => {
        await context.route(`https://${host}/**`, (route) => route.abort());
        await page.goto("/login");
        await page.getByLabel("Email").fill(CUSTOMER);
        await sees(page, `The security check from ${host} couldn’t be loaded.`);
        await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
        await page.getByRole("button", { name: "Login" }).click();
        await sees(page, "Please complete the security check, then try again.");
        siteVerify.state.isDown = true;
        await page.getByRole("button", { name: "Login" }).click();
        await arrivesAt(page, "/");
        siteVerify.state.isDown = false;
      }));
  });
}

const PLAUSIBLE = `{
  const { dataset } = document.currentScript;
  const send = (name, { u }) => fetch(dataset.api, {
    method: "POST",
    headers: { "content-type": "text/plain" },
    body: JSON.stringify({ n: name, u, d: dataset.domain }),
  });
  for (const view of globalThis.plausible.q) send(...view);
  globalThis.plausible = send;
}`;

test.describe("with a Plausible server", () => {
  /** @type {Awaited<ReturnType<typeof openShop>>} */
  let shop;
  test.beforeAll(async () => {
    shop = await openShop({
      SHOP_ANALYTICS: "plausible",
      ANALYTICS_SITE: "shop.example",
      ANALYTICS_URL: "https://stats.example",
    });
  });
  test.afterAll(() => shop.close());

  test("public pages are counted there, and no other page asks a stranger for anything", async ({ newVisitor }) => {
    const { page, context, browserErrors } = await newVisitor({ baseURL: shop.url });
    /** @type {{ n: string, u: string, d: string }[]} */
    const views = [];
    await context.route("https://stats.example/js/script.manual.js", (route) =>
      route.fulfill({ contentType: "text/javascript", body: PLAUSIBLE }),
    );
    await context.route("https://stats.example/api/event", (route) => {
      views.push(route.request().postDataJSON());
      return route.fulfill({ status: 202, headers: { "access-control-allow-origin": "*" } });
    });
    const asked = thirdPartyHosts(page);
    /** Waits for the page view, because a page that is left before the script loads is not counted. @param {string} path @param {() => Promise<unknown>} look */
    async function isCounted(path, look) {
      const told = page.waitForResponse(
        (response) =>
          response.url() === "https://stats.example/api/event" &&
          response.request().postDataJSON().u === shop.url + path,
      );
      await look();
      await told;
    }

    await isCounted("/about", () => page.goto("/about?email=ada@example.com"));
    await isCounted("/contact", () => page.getByRole("link", { name: "contact us" }).click());
    await logsIn(page, ADMIN, DEMO_PASSWORD);
    await isCounted("/", () => page.goto("/"));
    await isCounted("/products/nudgelight-mini", () => addsToCart(page, "Nudgelight Mini", 1));
    for (const path of ["/profile", "/profile/orders", "/checkout", "/admin/orders", "/admin/products", "/nothing"]) {
      await page.goto(path);
      await page.locator("h1").waitFor();
    }
    await page.goto("/profile");
    await isCounted("/cart", () => page.getByRole("link", { name: "View Cart" }).click());

    expectRejection(browserErrors, 404, "/nothing");
    assert.deepEqual(browserErrors, []);
    const counted = views.map(({ u }) => u.replace(shop.url, ""));
    assert.ok(views.every(({ n, d }) => n === "pageview" && d === "shop.example"));
    const known = new Set(["/about", "/contact", "/", "/products/nudgelight-mini", "/cart"]);
    assert.deepEqual(
      [...new Set([...asked.keys(), ...counted])].filter((path) => !known.has(path)),
      [],
    );
  });

  test("nobody else's script is loaded when the shop counts by itself", async ({ newVisitor }) => {
    const { page, browserErrors } = await newVisitor();
    const asked = thirdPartyHosts(page);
    const counted = page.waitForRequest("**/api/pageviews");
    await page.goto("/about");
    assert.deepEqual((await counted).postDataJSON(), { path: "/about" });
    await page.goto("/login");
    await page.locator("h1").waitFor();
    assert.deepEqual([...asked], []);
    assert.deepEqual(browserErrors, []);
  });
});
