// The purchase in other ways than with a pointer on a large screen in full color.
import assert from "node:assert/strict";
import { resize, test } from "./fixtures.mjs";
import { keyboard, pointer } from "./hands.mjs";
import { buysALight } from "./purchase.mjs";

test.describe("a customer buys a light", () => {
  test("by keyboard alone, without motion, and prints the order", async ({ newVisitor }) => {
    const { page, browserErrors } = await newVisitor({ reducedMotion: "reduce" });
    await buysALight(keyboard(page));
    await page.getByRole("link", { name: /^Order \d+$/ }).click();
    await page.getByRole("heading", { name: /^Order \d+$/, level: 1 }).waitFor();
    await page.getByRole("button", { name: "Print Order" }).waitFor();
    // Letter with margins of half an inch.
    await resize(page, 720);
    await page.emulateMedia({ media: "print", reducedMotion: "reduce" });
    await page.screenshot({ path: test.info().outputPath("print.png"), fullPage: true });
    const paper = await page.locator("body").innerText();
    for (const printed of ["Nudgelight Mini", "Total", "12 Front St", "ending in 4242"]) {
      assert.ok(paper.includes(printed), `${printed}: ${paper}`);
    }
    for (const left of ["View Cart", "Print Order", "Buy Again", "All your orders"]) {
      assert.ok(!paper.includes(left), `${left}: ${paper}`);
    }
    const [inside, outside] = await page.evaluate(() => [document.body.scrollWidth, window.innerWidth]);
    assert.ok((inside ?? 0) <= (outside ?? 0), `${inside} of ${outside} pixels`);
    assert.deepEqual(browserErrors, []);
  });

  test("on a screen of 320 × 640", async ({ newVisitor }) => {
    const { page, browserErrors } = await newVisitor({ viewport: { width: 320, height: 640 } });
    await buysALight(pointer(page));
    assert.deepEqual(browserErrors, []);
  });

  test("in forced colors", async ({ newVisitor }) => {
    const { page, browserErrors } = await newVisitor({ forcedColors: "active", colorScheme: "dark" });
    await buysALight(pointer(page));
    assert.deepEqual(browserErrors, []);
  });

  test("by keyboard, in forced colors, at 400 % zoom", async ({ newVisitor }) => {
    const viewport = { width: 320, height: 256 };
    const { page, browserErrors } = await newVisitor({ viewport, forcedColors: "active" });
    await buysALight(keyboard(page));
    assert.deepEqual(browserErrors, []);
  });
});
