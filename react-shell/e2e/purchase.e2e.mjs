// The purchase in other ways than with a pointer on a large screen in full color.
import assert from "node:assert/strict";
import { test } from "./fixtures.mjs";
import { keyboard, pointer } from "./hands.mjs";
import { buysALight } from "./purchase.mjs";

test.describe("a customer buys a light", () => {
  test("by keyboard alone", async ({ newVisitor }) => {
    const { page, browserErrors } = await newVisitor();
    await buysALight(keyboard(page));
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
