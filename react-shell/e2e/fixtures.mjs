import { join } from "node:path";
import { test as base } from "@playwright/test";
import { openShop } from "./shop.mjs";

/**
 * @typedef {import("@playwright/test").BrowserContextOptions} BrowserContextOptions
 * @typedef {import("@playwright/test").PlaywrightTestArgs & import("@playwright/test").PlaywrightTestOptions} TestArgs
 * @typedef {import("@playwright/test").PlaywrightWorkerArgs & import("@playwright/test").PlaywrightWorkerOptions} WorkerArgs
 * @typedef {Awaited<ReturnType<typeof openVisitor>>} Visitor
 * @typedef {(options?: BrowserContextOptions) => Promise<Visitor>} NewVisitor
 * @typedef {import("./shop.mjs").Shop} Shop
 */

/** @type {import("@playwright/test").Fixtures<{ newVisitor: NewVisitor }, { shop: Shop }, TestArgs, WorkerArgs>} */
const fixtures = {
  /** A shop for each worker. Playwright replaces the worker, and with it the shop, after a failed test. */
  shop: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright requires a destructuring pattern
    async ({}, use, { project, workerIndex }) => {
      const shop = await openShop({}, join(project.outputDir, `shop-${workerIndex}.log`));
      await use(shop);
      await shop.close();
    },
    { scope: "worker" },
  ],
  baseURL: ({ shop }, use) => use(shop.url),
  /** Opens browser contexts that are closed at the end of the test. */
  newVisitor: async ({ browser }, use) => {
    /** @type {Visitor[]} */
    const visitors = [];
    await use(async (options) => {
      const visitor = await openVisitor(browser, options);
      visitors.push(visitor);
      return visitor;
    });
    await Promise.all(visitors.map(({ context }) => closeContext(context)));
  },
};

/**
 * Chromium sometimes never confirms that a context with two tabs has closed, if both were loading a document. It ends
 * with the browser; the test has already passed or failed. Others close within a second.
 *
 * @param {import("@playwright/test").BrowserContext} context
 */
async function closeContext(context) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const hangs = new Promise((resolve) => {
    timer = setTimeout(() => resolve("hangs"), 10_000);
  });
  const result = await Promise.race([context.close(), hangs]);
  clearTimeout(timer);
  // oxlint-disable-next-line no-console -- visible in the suite's log
  if (result === "hangs") console.warn("Chromium did not confirm that a context has closed.");
}

export const test = base.extend(fixtures);

/**
 * Opens a browser context of its own. `browserErrors` collects console errors, uncaught exceptions and violations of
 * the content security policy.
 *
 * @param {import("@playwright/test").Browser} browser
 * @param {BrowserContextOptions} [options]
 */
export async function openVisitor(browser, options) {
  const context = await browser.newContext(options);
  /** @type {string[]} */
  const browserErrors = [];
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      // oxlint-disable-next-line no-console -- the console carries it to the test
      console.error(`Content security policy: ${event.violatedDirective} blocked ${event.blockedURI}`);
    });
  });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error") browserErrors.push(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => browserErrors.push(String(error)));
  return { context, page, browserErrors };
}

/**
 * Sets the viewport and waits until the page is drawn. Headless Chromium sometimes draws no frame after a resize until
 * the next one, and a click waits for a frame.
 *
 * @param {import("@playwright/test").Page} page
 * @param {number} width
 * @param {number} [height]
 */
export async function resize(page, width, height = 900) {
  for (const more of [0, 1, 0]) {
    await page.setViewportSize({ width, height: height + more });
    if (await isDrawn(page)) return;
  }
  throw new Error(`${page.url()} is not drawn at ${width} × ${height}`);
}

/** @param {import("@playwright/test").Page} page */
function isDrawn(page) {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        setTimeout(() => resolve(false), 3_000);
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)));
      }),
  );
}

/**
 * Removes the console error about an expected response, for example of a declined card. Throws if there is none.
 *
 * @param {string[]} browserErrors
 * @param {number} status
 * @param {string} url a part of the URL
 */
export function expectRejection(browserErrors, status, url) {
  const found = browserErrors.findIndex((text) => text.includes(`status of ${status}`) && text.includes(url));
  if (found === -1) throw new Error(`No response ${status} from ${url} among: ${browserErrors.join("\n")}`);
  browserErrors.splice(found, 1);
}
