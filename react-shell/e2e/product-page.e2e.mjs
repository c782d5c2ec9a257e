import assert from "node:assert/strict";
import { test } from "./fixtures.mjs";

const PHONE = { width: 390, height: 844 };
const LIGHT = "/products/nudgelight-one";

test.describe("a product's pictures", () => {
  test("are chosen by thumbnail, enlarged and closed by keyboard alone", async ({ newVisitor }) => {
    const { page, browserErrors } = await newVisitor();
    await page.goto(LIGHT);
    await page.locator("#root").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "In use" }).press("Enter");
    await page.getByRole("img", { name: "Illustration of Nudgelight One in use" }).waitFor();
    await page.getByRole("button", { name: "Enlarge picture" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Enlarged pictures" });
    await dialog.getByText("In use, 2 of 5").waitFor();
    await page.keyboard.press("ArrowRight");
    await dialog.getByText("On a shelf at night, 3 of 5").waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await dialog.getByText("Dimensions, 5 of 5").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Enlarge picture", exact: true }).and(page.locator(":focus")).waitFor();
    assert.deepEqual(browserErrors, []);
  });

  test("are larger than the screen after a tap, and scroll", async ({ newVisitor }) => {
    const { page } = await newVisitor({ viewport: PHONE, hasTouch: true });
    await page.goto(LIGHT);
    await page.locator("#root").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Enlarge picture" }).tap();
    const enlarged = page.getByRole("group", { name: "Enlarged picture" });
    const overflow = () => enlarged.evaluate((element) => element.scrollWidth - element.clientWidth);
    assert.ok((await overflow()) <= 0);
    await enlarged.tap();
    assert.ok((await overflow()) > 300);
    await page.getByRole("button", { name: "Zoom out" }).tap();
    assert.ok((await overflow()) <= 0);
    await page.getByRole("button", { name: "Close" }).tap();
    await enlarged.waitFor({ state: "hidden" });
  });
});

test.describe("on a phone", () => {
  test("Add to Cart is on the screen at once and while the page scrolls, and covers no content", async ({
    newVisitor,
  }) => {
    const { page } = await newVisitor({ viewport: PHONE });
    await page.goto(LIGHT);
    await page.locator("#root").waitFor({ state: "detached" });
    const button = page.getByRole("button", { name: "Add to Cart" });
    const isOnScreen = async () => {
      const box = await button.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= PHONE.height;
    };
    assert.ok(await isOnScreen());
    await page.mouse.wheel(0, 900);
    assert.ok(await isOnScreen());
    await button.click();
    const notice = await page.getByText(/was added to your cart/).boundingBox();
    const bar = await button.boundingBox();
    assert.ok(notice !== null && bar !== null && notice.y + notice.height < bar.y);
    await page.getByText("1 in your cart").waitFor();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const [last, form] = await page.evaluate(() =>
      ["main section:last-of-type", "main form.order-bar"].map((selector) => {
        const { top, bottom } = document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
        return { top, bottom };
      }),
    );
    assert.ok(last !== undefined && form !== undefined && last.bottom <= form.top, JSON.stringify([last, form]));
  });

  test("the page doesn't jump while it loads", async ({ newVisitor }) => {
    const { page } = await newVisitor({ viewport: PHONE });
    for (const path of [LIGHT, "/"]) {
      await page.goto(path);
      await page.locator("#root").waitFor({ state: "detached" });
      await page.waitForLoadState("networkidle");
      const shift = await page.evaluate(
        () =>
          new Promise((resolve) => {
            new PerformanceObserver((list) => {
              const shifts = /** @type {{ value: number }[]} */ (/** @type {unknown} */ (list.getEntries()));
              resolve(shifts.reduce((sum, { value }) => sum + value, 0));
            }).observe({ type: "layout-shift", buffered: true });
            setTimeout(() => resolve(0), 500);
          }),
      );
      assert.ok(Number(shift) < 0.02, `${path}: ${shift}`);
    }
  });
});
