import { chromium } from "playwright-core";

const SHOP_URL = required("SHOP_URL");

/** @param {string} name */
export function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: these tests need a running shop.`);
  return value;
}

export function launch() {
  return chromium.launch({
    executablePath: process.env["SHOP_CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"],
  });
}

/**
 * A person at a browser of their own. Everything the browser complains about is kept in `complaints`: errors in the
 * console, exceptions, and what the content security policy stopped.
 *
 * @param {import("playwright-core").Browser} browser
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
export async function person(browser, options = {}) {
  const context = await browser.newContext({ baseURL: SHOP_URL, viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(15_000);
  /** @type {string[]} */
  const complaints = [];
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      // oxlint-disable-next-line no-console -- this is how it reaches the test
      console.error(`Content security policy: ${event.violatedDirective} stopped ${event.blockedURI}`);
    });
  });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return { context, page, complaints };
}

/**
 * Gives a page another width, and waits until it is drawn in it. Chromium without a screen now and then draws no frame
 * after a change of size, and none until the next change; whoever waits for a frame, as every click does, would wait
 * for ever.
 *
 * @param {import("playwright-core").Page} page
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

/** @param {import("playwright-core").Page} page */
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
 * Takes out the complaint about an answer that the test asked for, like a declined card. It must be there.
 *
 * @param {string[]} complaints
 * @param {number} status
 * @param {string} url a part of the address
 */
export function expectRefusal(complaints, status, url) {
  const found = complaints.findIndex((text) => text.includes(`status of ${status}`) && text.includes(url));
  if (found === -1) throw new Error(`No answer of ${status} from ${url} among: ${complaints.join("\n")}`);
  complaints.splice(found, 1);
}
