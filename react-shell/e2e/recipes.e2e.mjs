import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "./fixtures.mjs";

/** @typedef {import("@playwright/test").Page} Page */

/** Tuesday, 22:31 in New York: trash night, and the late evening. */
const TRASH_NIGHT = new Date("2026-12-02T03:31:00Z");

/** @param {Page} page @param {string} name */
const tile = (page, name) => page.getByRole("article").filter({ has: page.getByRole("link", { name, exact: true }) });

/** @param {Page} page @param {string} name */
const lamp = (page, name) => tile(page, name).locator(".device").getAttribute("data-lamp");

/** Opens the wall a minute after a time. From then on, time stands still until the test moves it. @param {Page} page @param {Date} time */
async function opensTheWall(page, time) {
  await page.clock.install({ time });
  await page.goto("/schedules");
  await page.locator("#root").waitFor({ state: "detached" });
  await page.clock.pauseAt(new Date(time.getTime() + 60_000));
}

test.describe("the recipes", () => {
  test("are a wall of lamps, each of which follows its own by the visitor's clock", async ({ newVisitor }) => {
    const { page, browserErrors } = await newVisitor({ timezoneId: "America/New_York" });
    await opensTheWall(page, TRASH_NIGHT);
    assert.ok((await page.getByRole("article").count()) >= 24);
    const state = (/** @type {string} */ name) => tile(page, name).getByTestId("recipe-state").innerText();
    assert.equal(await state("Trash night"), "Blinking");
    assert.equal(await state("Night light"), "On at 5%");
    assert.equal(await state("School run"), "Off until Wed 7:30 AM");
    /** @type {Set<string | null>} */
    const seen = new Set();
    for (let step = 0; step < 8; step++) {
      seen.add(await lamp(page, "Trash night"));
      await page.clock.runFor(100);
    }
    assert.deepEqual([...seen].toSorted(), ["off", "on"], "it blinks");
    assert.equal(await lamp(page, "Night light"), "on");
    await page.clock.runFor("10:00");
    assert.equal(await state("Trash night"), "On at 60%");
    assert.deepEqual(browserErrors, []);
  });

  test("play a day in ten seconds, all together", async ({ newVisitor }) => {
    const { page } = await newVisitor({ timezoneId: "America/New_York" });
    await opensTheWall(page, TRASH_NIGHT);
    await page.getByRole("button", { name: "Play a Day in Ten Seconds" }).click();
    await page.clock.runFor(5_000);
    assert.match(await page.getByTestId("recipe-time").innerText(), /^10:[23]\d/);
    assert.equal(await lamp(page, "Market hours"), "on");
    assert.equal(await lamp(page, "Night light"), "off");
    await page.clock.runFor(6_000);
    assert.equal(await page.getByTestId("recipe-time").innerText(), "");
    assert.equal(await tile(page, "Night light").getByTestId("recipe-state").innerText(), "On at 5%");
  });

  test("stand still if motion is not wanted, or when they are paused", async ({ newVisitor }) => {
    const still = await newVisitor({ timezoneId: "America/New_York", reducedMotion: "reduce" });
    await opensTheWall(still.page, TRASH_NIGHT);
    for (let step = 0; step < 8; step++) {
      assert.equal(await lamp(still.page, "Trash night"), "on");
      await still.page.clock.runFor(100);
    }
    const { page } = await newVisitor({ timezoneId: "America/New_York" });
    await opensTheWall(page, TRASH_NIGHT);
    const pause = page.getByRole("button", { name: "Pause the Lamps" });
    await pause.click();
    assert.equal(await pause.getAttribute("aria-pressed"), "true");
    const paused = await lamp(page, "Trash night");
    for (let step = 0; step < 8; step++) {
      await page.clock.runFor(100);
      assert.equal(await lamp(page, "Trash night"), paused);
    }
  });

  test("have pages, whose file is downloaded and opens in the Lab, in the visitor's time zone", async ({
    newVisitor,
  }) => {
    const { page, browserErrors } = await newVisitor({ timezoneId: "America/Vancouver" });
    await page.goto("/schedule-lab");
    await page.getByRole("link", { name: "More recipes" }).click();
    await page.getByRole("link", { name: "Trash night" }).click();
    await page.getByRole("heading", { name: "Trash night", level: 1 }).waitFor();
    await page.getByTestId("recipe-next").getByText("Next: ").waitFor();
    const file = await page.getByRole("region", { name: "The file" }).innerText();
    assert.match(file, /timezone = America\/Vancouver\n\n# Trash night\n[^]+blink 22:30 for 10m tue fast/);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download SCHEDULE.TXT" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "SCHEDULE.TXT");
    assert.equal((await readFile(await download.path(), "utf8")).trim(), file.trim());
    await page.getByRole("button", { name: "Save to My Light" }).click();
    await page.getByRole("dialog").getByText("NUDGELIGHT").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Open in the Lab" }).click();
    const editor = page.getByLabel("Your schedule");
    await editor.waitFor();
    assert.equal((await editor.inputValue()).trim(), file.trim());
    await page.getByText("2 rules, no problems").waitFor();
    assert.deepEqual(browserErrors, []);
  });

  test("can be used without scripts", async ({ newVisitor }) => {
    const { page } = await newVisitor({ javaScriptEnabled: false });
    await page.goto("/schedules");
    await page.getByRole("link", { name: "Stand up" }).click();
    await page.getByRole("heading", { name: "Stand up", level: 1 }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download SCHEDULE.TXT" }).click(),
    ]);
    assert.match(await readFile(await download.path(), "utf8"), /blink every 30m 09:00-17:00 for 10s weekdays\n$/);
    await page.getByRole("link", { name: "Nudgelight One" }).first().click();
    await page.getByRole("heading", { name: "Nudgelight One", level: 1 }).waitFor();
  });
});
