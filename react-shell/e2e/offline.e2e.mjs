import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "@playwright/test";
import { test } from "./fixtures.mjs";
import { drop, makeDrive, openChromium, statusOf } from "./light.mjs";
import { openShop } from "./shop.mjs";

/** @typedef {import("@playwright/test").Page} Page */

const SCOPES = ["/schedule-lab", "/tutorial", "/schedules"];

/**
 * Waits until the pages are kept in this many caches: each scope has an active worker, of the newest version.
 *
 * @param {Page} page
 * @param {number} versions
 */
async function areKept(page, versions) {
  const cachesOfActive = () =>
    page.evaluate(async (scopes) => {
      for (const scope of scopes) {
        const registration = await navigator.serviceWorker.getRegistration(scope);
        if (registration?.active?.state !== "activated" || registration.installing || registration.waiting) return 0;
      }
      return (await caches.keys()).length;
    }, SCOPES);
  await expect.poll(cachesOfActive, { timeout: 30_000 }).toBe(versions);
}

/** The caches' names, and what the newest one has. @param {Page} page */
const kept = (page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await (await caches.open(names.at(-1) ?? "")).keys();
    return { names, paths: requests.map(({ url }) => new URL(url).pathname) };
  });

/** The policy of a cached page. @param {Page} page @param {string} path */
const keptPolicy = (page, path) =>
  page.evaluate(async (url) => {
    const name = (await caches.keys()).at(-1) ?? "";
    return (await caches.match(url, { cacheName: name }))?.headers.get("content-security-policy");
  }, path);

/** Whether the page's policy blocks an inline script. @param {Page} page */
const blocksInlineScript = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective), {
          once: true,
        });
        setTimeout(() => resolve("nothing"), 2_000);
        const script = document.createElement("script");
        script.textContent = "globalThis.ran = true";
        document.head.append(script);
      }),
  );

/** Records the headings that the next documents show. @param {Page} page */
async function recordHeadings(page) {
  await page.addInitScript(() => {
    /** @type {Set<string>} */
    const shown = new Set();
    Reflect.set(globalThis, "shownHeadings", shown);
    function look() {
      const heading = document.querySelector("h1");
      if (heading?.checkVisibility()) shown.add(heading.innerText);
      requestAnimationFrame(look);
    }
    look();
  });
  return () => page.evaluate(() => [.../** @type {Set<string>} */ (Reflect.get(globalThis, "shownHeadings"))]);
}

/** @param {Page} page */
const editor = (page) => page.getByLabel("Your schedule");

test.describe("without a network", () => {
  test("the Lab, the tutorial and the recipes work, and a new version of the shop takes their place", async ({
    newVisitor,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), "nudgelight-offline-"));
    const shop = await openShop({ SHOP_DATA_DIR: folder });
    const settings = { SHOP_DATA_DIR: folder, SHOP_ADDR: new URL(shop.url).host };
    const open = [shop];
    const closeAll = () => Promise.all(open.splice(0).map(({ close }) => close()));
    const { page } = await newVisitor();
    try {
      await page.goto(`${shop.url}/schedule-lab`);
      await editor(page).waitFor();
      await areKept(page, 1);
      const { names, paths } = await kept(page);
      assert.equal(names.length, 1, "the three scopes share it");
      assert.ok(paths.some((path) => /lab_bg-.*\.wasm$/.test(path)));
      assert.deepEqual(
        paths.filter((path) => !path.startsWith("/assets/")),
        ["/schedule-lab", "/tutorial", "/schedules"],
      );
      const policy = (await fetch(`${shop.url}/schedule-lab`)).headers.get("content-security-policy");
      assert.equal(await keptPolicy(page, "/schedule-lab"), policy);

      await closeAll();
      await page.reload();
      await editor(page).fill("timezone = UTC\non 07:00-07:30 wekdays\n");
      await page.getByRole("button", { name: "Line 2: Did you mean weekdays?" }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download schedule.txt" }).click(),
      ]);
      assert.equal(await readFile(await download.path(), "utf8"), "timezone = UTC\non 07:00-07:30 weekdays\n");
      assert.equal(await blocksInlineScript(page), "script-src-elem");
      assert.equal(await page.evaluate(() => Reflect.get(globalThis, "ran")), undefined);
      await page.goto(`${shop.url}/tutorial`);
      await page.getByRole("heading", { name: "Setup Tutorial" }).waitFor();
      const headings = await recordHeadings(page);
      await page.goto(`${shop.url}/schedules/trash-night`);
      await page.getByTestId("recipe-next").getByText("Next: ").waitFor();
      assert.deepEqual(await headings(), ["Trash night"], "not that of the document that stands in");
      await page.reload();
      await page.getByTestId("recipe-next").getByText("Next: ").waitFor();
      assert.deepEqual(await headings(), ["Trash night"]);
      await page.getByRole("link", { name: "All recipes" }).click();
      await page.getByRole("button", { name: "Pause the Lamps" }).waitFor();
      // Everything else is left to the browser, which has no network.
      for (const path of ["/", "/cart", "/checkout", "/profile"])
        await assert.rejects(page.goto(`${shop.url}${path}`), /ERR_CONNECTION_REFUSED/, path);

      open.push(await openShop({ ...settings, ...NEW_VERSION }));
      await page.goto(`${shop.url}/schedules`);
      const changed = (await fetch(`${shop.url}/schedules`)).headers.get("content-security-policy");
      assert.notEqual(changed, policy);
      await areKept(page, 2);
      await closeAll();
      await page.reload();
      await page.getByRole("button", { name: "Pause the Lamps" }).waitFor();
      assert.equal(await keptPolicy(page, "/schedules"), changed);
      assert.equal(await blocksInlineScript(page), "script-src-elem");
    } finally {
      await closeAll();
      await rm(folder, { recursive: true, force: true });
    }
  });

  test("a schedule is edited and saved to the light, and so is a recipe", async () => {
    const light = await makeDrive({ "STATUS.TXT": statusOf("0.1.0+11111111"), "SCHEDULE.TXT": "wifi = Home\n" });
    const shop = await openShop();
    const open = [shop];
    const closeShop = () => Promise.all(open.splice(0).map((opened) => opened.close()));
    const { page, close } = await openChromium(shop.url, [light]);
    const saves = async () => {
      await page.getByRole("button", { name: "Save to My Light" }).click();
      await drop(page, "light-drop", light);
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("heading", { name: /^Saved/ }).waitFor();
      await page.getByRole("button", { name: "Three quick flashes" }).click();
      await page.getByRole("button", { name: "Done" }).click();
      return readFile(join(light, "SCHEDULE.TXT"), "utf8");
    };
    try {
      await page.goto("/schedule-lab");
      await areKept(page, 1);
      await closeShop();
      await page.reload();
      await editor(page).fill("timezone = UTC\non 18:00-23:00\n");
      assert.equal(await saves(), "wifi = Home\ntimezone = UTC\non 18:00-23:00\n");
      await page.goto("/schedules/trash-night");
      assert.match(await saves(), /^wifi = Home\ntimezone = UTC\n[^]*blink 22:30 for 10m tue fast/);
    } finally {
      await close();
      await closeShop();
      await rm(dirname(light), { recursive: true });
    }
  });

  test("only the pages of the Lab have a worker, and it takes no request but for its own list", async ({
    newVisitor,
    shop,
  }) => {
    const { page, browserErrors } = await newVisitor();
    await page.goto("/schedule-lab");
    await areKept(page, 1);
    await page.goto("/tutorial");
    await page.locator("#root").waitFor({ state: "detached" });
    assert.ok(await page.evaluate(() => navigator.serviceWorker.controller !== null));
    const requests = ["/api/config", "/api/products", "/images/nudgelight-one.svg", "/manifest.webmanifest"];
    for (const path of requests) {
      const [response] = await Promise.all([
        page.waitForResponse((received) => new URL(received.url()).pathname === path),
        page.evaluate((url) => fetch(url, { cache: "no-store" }).then(({ status }) => status), path),
      ]);
      assert.equal(response.fromServiceWorker(), false, path);
    }
    for (const path of ["/", "/products", "/cart", "/login"]) {
      await page.goto(path);
      assert.equal(await page.evaluate(() => navigator.serviceWorker.controller), null, path);
    }
    const script = await fetch(`${shop.url}/service-worker.js`);
    assert.equal(
      script.headers.get("content-security-policy"),
      "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
    );
    assert.deepEqual(browserErrors, []);
  });
});

/** A setting that changes the pages' policy, as a new version of the program may. */
const NEW_VERSION = {
  SHOP_ANALYTICS: "plausible",
  ANALYTICS_SITE: "shop.example",
  ANALYTICS_URL: "https://plausible.example",
};
