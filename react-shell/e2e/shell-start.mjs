// The start of the shell, which replaces the server-rendered page.

/** @typedef {import("@playwright/test").Page} Page */

/** Waits until the shell has replaced the server-rendered page. @param {Page} page */
export function shellIsThere(page) {
  return page.waitForFunction(() => document.getElementById("root") === null);
}

/**
 * Delays the shell's WASM, as a slow connection does, until the returned function is called.
 *
 * @param {Page} page
 */
export async function holdShell(page) {
  /** @type {(() => void)[]} */
  const held = [];
  let isReleased = false;
  await page.route("**/*.wasm", async (route) => {
    if (!isReleased) await new Promise((go) => held.push(() => go(undefined)));
    await route.continue();
  });
  return () => {
    isReleased = true;
    for (const go of held) go();
  };
}
