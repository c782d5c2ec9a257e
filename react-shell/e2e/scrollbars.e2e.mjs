import assert from "node:assert/strict";
import { test } from "./fixtures.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { logsIn } from "./steps.mjs";

// Without this, Playwright hides the scroll bars that take room.
test.use({
  launchOptions: {
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--disable-gpu"],
    ignoreDefaultArgs: ["--hide-scrollbars"],
  },
});

for (const width of [1280, 390]) {
  test(`a dialog that opens moves nothing behind it, and the order tabs have no scroll bar, at ${width} pixels`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 700 });
    await logsIn(page, "admin@nudgelight.example", DEMO_PASSWORD);
    await page.goto("/admin/orders");
    const tabs = page.getByRole("navigation", { name: "Order lists" });
    await tabs.getByRole("link", { name: /^Alerts ?\d/ }).waitFor();
    const bar = await tabs.evaluate((element) => element.getBoundingClientRect().height - element.clientHeight);
    assert.ok(bar <= 1, "only a border below the tabs, no scroll bar");
    await page.goto("/admin/settings");
    await page.getByLabel("Shop name").waitFor();
    const left = () => page.locator("h1").evaluate((heading) => heading.getBoundingClientRect().left);
    const before = await left();
    await page.setViewportSize({ width, height: 4000 });
    assert.equal(await left(), before, "a page that is short enough for no scroll bar");
    await page.setViewportSize({ width, height: 700 });
    await page.getByRole("heading", { level: 1 }).focus();
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    assert.equal(await left(), before);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal(await left(), before);
  });
}
