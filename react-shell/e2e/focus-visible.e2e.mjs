// The focus is visible in menus, and on a product's card. `every-page.e2e.mjs` follows Tab through every page.
import assert from "node:assert/strict";
import { test } from "./fixtures.mjs";
import { faultOfFocus, faultsOfFocus } from "./focus-ring.mjs";
import { opens } from "./steps.mjs";

test.describe("the focus is visible", () => {
  test("a product's card shows the whole ring of the focus", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await opens(page, "/products");
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement?.closest("article") !== null)) break;
    }
    const ring = await page.evaluate(() => {
      const card = document.activeElement?.closest("article");
      if (!card) return "no card has the focus";
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(card);
      return `${outlineStyle} ${outlineWidth} ${outlineOffset}`;
    });
    assert.equal(ring, "solid 3px 2px", "on the card itself, which cuts off what is inside");
  });

  test("in the menu of a small screen", async ({ newVisitor }) => {
    const { page } = await newVisitor({ viewport: { width: 320, height: 256 } });
    await opens(page, "/");
    await page.getByRole("button", { name: "Open menu" }).click();
    assert.deepEqual(await faultsOfFocus(page), []);
  });

  test("in the Products menu", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await opens(page, "/");
      await page.getByRole("button", { name: "Products" }).press("Enter");
      for (const item of await page.getByRole("menuitem").all()) {
        await item.waitFor();
        assert.equal(await faultOfFocus(page), undefined, `${await item.innerText()} in ${colorScheme}`);
        await page.keyboard.press("ArrowDown");
      }
    }
  });
});
