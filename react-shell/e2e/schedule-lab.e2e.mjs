import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { resize, test } from "./fixtures.mjs";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("@playwright/test").BrowserContextOptions} BrowserContextOptions */
/** @typedef {import("./fixtures.mjs").NewVisitor} NewVisitor */

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const FILE = "wifi = Home Network\npassword = correct horse\ntimezone = America/Toronto\n";

/** Opens the Lab from a link to it. @param {NewVisitor} newVisitor @param {BrowserContextOptions} [options] */
async function opensTheLab(newVisitor, options) {
  const visitor = await newVisitor(options);
  await visitor.page.goto("/tutorial#lab");
  await editor(visitor.page).waitFor();
  return visitor;
}

/** @param {Page} page */
const editor = (page) => page.getByLabel("Your schedule");

/** @param {Page} page */
const moment = (page) => page.getByRole("slider", { name: "Moment" });

/** Background color without opacity. @param {import("@playwright/test").Locator} thing */
const painted = (thing) =>
  thing.evaluate((element) => getComputedStyle(element).backgroundColor.match(/\d+/g)?.slice(0, 3).join(" "));

test.describe("the Schedule Lab", () => {
  // spec: set up by editing a text file on the device
  test("a mistake is explained, one click mends it, and the file is saved as it stands", async ({ newVisitor }) => {
    const { page, browserErrors } = await opensTheLab(newVisitor);
    await editor(page).fill(`${FILE}on 07:00-07:30 wekdays\n`);
    await page.getByText("0 rules, 1 problem").waitFor();
    await page.getByRole("list", { name: "Problems" }).getByText("Line 4: ").waitFor();
    await page.getByText("Your light skips lines with errors.").waitFor();
    await page.getByRole("button", { name: "Line 4: Did you mean weekdays?" }).click();
    await page.getByText("1 rule, no problems").waitFor();
    assert.equal(await editor(page).inputValue(), `${FILE}on 07:00-07:30 weekdays\n`);
    assert.equal(await page.evaluate(() => document.activeElement?.id), "lab-text", "writing goes on");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download schedule.txt" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "schedule.txt");
    assert.equal(await readFile(await download.path(), "utf8"), `${FILE}on 07:00-07:30 weekdays\n`);
    assert.deepEqual(browserErrors, []);
  });

  test("a word is completed by keyboard alone", async ({ newVisitor }) => {
    const { page } = await opensTheLab(newVisitor);
    await editor(page).fill("");
    await editor(page).pressSequentially("timezone = toro");
    await page.keyboard.press("Control+Space");
    await page.keyboard.type("\nbl");
    await page.keyboard.press("Control+Space");
    assert.equal(await editor(page).inputValue(), "timezone = America/Toronto\nblink");
  });

  // spec: turns on or blinks at a programmed time and interval
  test("a rule is added by choosing, and the lamp follows it along the week by keyboard", async ({ newVisitor }) => {
    const { page, browserErrors } = await opensTheLab(newVisitor, { reducedMotion: "reduce" });
    await editor(page).fill("timezone = UTC\n");
    await page.getByLabel("When", { exact: true }).selectOption("every");
    await page.getByLabel("From", { exact: true }).fill("00:00");
    await page.getByLabel("Until", { exact: true }).fill("23:00");
    for (const day of ["sat", "sun"]) await page.getByRole("checkbox", { name: day }).check();
    await page.getByRole("button", { name: "Add rule" }).click();
    assert.equal(await editor(page).inputValue(), "timezone = UTC\nblink every 30m 00:00-23:00 for 10s\n");
    await moment(page).press("Home");
    await page.getByTestId("lab-state").getByText("Blinking").waitFor();
    await page.getByRole("button", { name: "Day", exact: true }).click();
    await moment(page).press("Home");
    for (const key of ["PageUp", "PageUp", "ArrowLeft"]) await moment(page).press(key);
    await page.getByTestId("lab-state").getByText("Off").waitFor();
    assert.match(await page.getByTestId("lab-moment").innerText(), /, 01:59/);
    assert.equal(await page.getByTestId("lab-next").innerText(), "Next: blinks at 02:00 for 10 s.");
    assert.match((await moment(page).getAttribute("aria-valuetext")) ?? "", /01:59.*, Off/);
    await page.getByRole("button", { name: "Next change" }).click();
    await page.getByTestId("lab-state").getByText("Blinking").waitFor();
    await moment(page).press("End");
    assert.match(await page.getByTestId("lab-moment").innerText(), /, 23:59/);
    assert.deepEqual(browserErrors, []);
  });

  test("the bars of the week follow the text, as it is typed and as an example is chosen", async ({ newVisitor }) => {
    const { page } = await opensTheLab(newVisitor);
    const lit = () => page.getByTestId("lab-lit").getAttribute("d");
    const blinking = () => page.getByTestId("lab-blinking").getAttribute("d");
    // The time zone and the week stay the same, so only the bars change.
    await editor(page).fill("timezone = UTC\non 12:00-20:00 daily\n");
    await page.getByText("1 rule, no problems").waitFor();
    const week = await lit();
    assert.equal(week?.split("M").length, 8, `a bar a day: ${week}`);
    assert.equal(await blinking(), "");
    await editor(page).fill("timezone = UTC\nblink 12:00-20:00 daily\n");
    await page.waitForFunction(
      (bars) => document.querySelector("[data-testid=lab-blinking]")?.getAttribute("d") === bars,
      week,
    );
    assert.equal(await lit(), "");
    for (const example of ["Medicine", "Trash night", "School bell"]) {
      const drawn = `${await lit()} ${await blinking()}`;
      await page.getByRole("group", { name: "Examples" }).getByRole("button", { name: example }).click();
      await page.waitForTimeout(300);
      assert.notEqual(`${await lit()} ${await blinking()}`, drawn, example);
    }
  });

  test("in forced colors what is chosen differs from what is not, and the legend is seen", async ({ newVisitor }) => {
    const { page } = await opensTheLab(newVisitor, { forcedColors: "active" });
    const zoom = (/** @type {string} */ name) => painted(page.getByRole("button", { name, exact: true }));
    const canvas = await painted(page.locator("body"));
    assert.notEqual(await zoom("Week"), await zoom("Day"));
    const swatches = await page.locator("#lab-timeline-keys .lab-swatch").all();
    const legend = [];
    for (const swatch of swatches) legend.push(await painted(swatch));
    assert.equal(new Set([...legend, canvas]).size, 3, `lit, blinking and the page: ${legend}, ${canvas}`);
  });

  test("a link carries the rules and nothing of the network, and opens as the same schedule", async ({
    newVisitor,
  }) => {
    const { page, browserErrors } = await opensTheLab(newVisitor);
    await editor(page).fill(`${FILE}# correct horse\nblink every 30m 09:00-17:00 for 10s weekdays 40%\n`);
    await page.getByRole("button", { name: "Share by link" }).click();
    const link = await page.getByLabel(/Link to these rules/).inputValue();
    assert.doesNotMatch(decodeURIComponent(link), /Home|wifi|password|correct|horse/i);
    assert.equal(page.url(), link, "it can be copied from the address bar too");

    const friend = await newVisitor();
    await friend.page.goto(link);
    await friend.page.getByText("1 rule, no problems").waitFor();
    const opened = await editor(friend.page).inputValue();
    assert.match(opened, /timezone = America\/Toronto\n\nblink every 30m 09:00-17:00 for 10s weekdays 40%\n$/);
    assert.deepEqual([...browserErrors, ...friend.browserErrors], []);
  });

  test("everybody can use it, in both themes", async ({ newVisitor }) => {
    const { page } = await opensTheLab(newVisitor);
    await editor(page).fill("on 07:00-07:30 wekdays\nwi");
    for (const details of await page.locator("details > summary").all()) await details.click();
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.waitForTimeout(400);
      // The content security policy blocks a script element.
      await page.evaluate(AXE);
      const faults = await page.evaluate(async () => {
        const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
        const axe = /** @type {typeof import("axe-core")} */ (Reflect.get(globalThis, "axe"));
        const { violations } = await axe.run(document, { runOnly: tags });
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
      });
      assert.deepEqual(faults, [], colorScheme);
    }
    for (const width of [360, 834, 1440]) {
      await resize(page, width);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `scrolls sideways at ${width}`);
    }
  });

  test("a product's page leads to it, and nobody else loads it", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    /** @type {string[]} */
    const modules = [];
    page.on("request", (request) => {
      if (/lab_bg.*\.wasm/.test(request.url())) modules.push(request.url());
    });
    await page.goto("/products/nudgelight-one");
    await page.waitForLoadState("networkidle");
    assert.deepEqual(modules, []);
    await page.getByRole("link", { name: "Try it in the Schedule Lab" }).click();
    await editor(page).waitFor();
    assert.equal(modules.length, 1);
  });

  test("the home page's lamp glows at first, and shows the sample schedule at the hour that is chosen", async ({
    newVisitor,
  }) => {
    const { page, browserErrors } = await newVisitor();
    /** @type {string[]} */
    const modules = [];
    page.on("request", (request) => {
      if (/lab_bg.*\.wasm/.test(request.url())) modules.push(request.url());
    });
    await page.goto("/");
    await page.locator("#root").waitFor({ state: "detached" });
    const lamp = page.locator("main figure .device").first();
    assert.equal(await lamp.getAttribute("data-lamp"), "on");
    assert.match((await lamp.getAttribute("aria-label")) ?? "", /glowing/);
    await page.getByText("On at 40% until 23:00.").waitFor();
    assert.deepEqual(modules, []);
    await page.getByRole("button", { name: "Noon" }).click();
    await page.getByText("Blinking, every 30 min until 17:00.").waitFor();
    assert.equal(await lamp.getAttribute("data-lamp"), "blink");
    assert.equal(await page.getByRole("button", { name: "Noon" }).getAttribute("aria-pressed"), "true");
    await page.getByRole("button", { name: "7 AM" }).click();
    await page.getByText("On until 07:30.").waitFor();
    assert.equal(modules.length, 1);
    assert.deepEqual(browserErrors, []);
  });
});
