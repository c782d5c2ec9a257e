import assert from "node:assert/strict";
import { resize, test } from "./fixtures.mjs";
import { opens } from "./steps.mjs";

test("two hundred products have room in the menu", async ({ newVisitor }) => {
  const { page } = await newVisitor({ viewport: { width: 1280, height: 600 } });
  // The shell reads the catalog from the server-rendered page.
  await page.route("**/cart", async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/(id="first-paint"[^>]*>)([^<]*)/, (_tag, start, json) => {
      const menu = Array.from({ length: 200 }, (_, index) => ({ name: `Light ${index}`, slug: `light-${index}` }));
      return start + JSON.stringify({ ...JSON.parse(json), menu });
    });
    await route.fulfill({ response, body });
  });
  await opens(page, "/cart");
  await page.getByRole("button", { name: "Products" }).press("Enter");
  await page.getByRole("menuitem", { name: "Light 199" }).waitFor();
  const menu = await page.getByRole("menu").boundingBox();
  assert.ok(menu && menu.y + menu.height <= 600, `the menu ends at ${menu && menu.y + menu.height}`);
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.activeElement?.textContent === "All products");
  assert.equal(await page.evaluate(() => window.scrollY), 0, "the menu scrolls, not the page");
  assert.equal(await page.getByRole("menuitem").count(), 201);
});

test("the products menu takes a key that is pressed before the next frame", async ({ newVisitor }) => {
  const { page } = await newVisitor();
  await opens(page, "/");
  await page.evaluate(() => Object.assign(window, { requestAnimationFrame: () => 0 }));
  await page.getByRole("button", { name: "Products" }).press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Nudgelight One");
});

test("the menus, by keyboard alone", async ({ newVisitor }) => {
  const { page } = await newVisitor();
  await opens(page, "/");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Skip to content");
  await page.getByRole("button", { name: "Products" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Nudgelight One" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Nudgelight One", level: 1 }).waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === "H1");
  await resize(page, 390, 844);
  await page.getByRole("button", { name: "Open menu" }).press("Enter");
  const menu = page.getByRole("navigation", { name: "Main" });
  await menu.getByRole("link", { name: "Nudgelight Mini" }).press("Enter");
  await page.getByRole("heading", { name: "Nudgelight Mini", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Open menu" }).waitFor();
});
