import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { resize, test } from "./fixtures.mjs";
import { holdShell, shellIsThere } from "./shell-start.mjs";

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

/** Delays the Lab's package until the returned function is called. @param {Page} page */
async function holdLab(page) {
  const gate = new EventTarget();
  const released = new Promise((resolve) => gate.addEventListener("open", resolve));
  await page.route("**/lab_bg-*.wasm", async (route) => {
    await released;
    await route.continue();
  });
  return () => gate.dispatchEvent(new Event("open"));
}

test.describe("the Schedule Lab", () => {
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    test(`its first example is there before it starts, in the same place at ${viewport.width}`, async ({
      newVisitor,
    }) => {
      const { page, browserErrors } = await newVisitor({ viewport, timezoneId: "America/New_York" });
      const release = await holdLab(page);
      await page.goto("/schedule-lab");
      await shellIsThere(page);
      const line = page.locator(".lab-placeholder").getByText("blink every 30m 09:00-17:00").first();
      const before = await line.boundingBox();
      assert.equal(await editor(page).count(), 0, "nothing to type into yet");
      release();
      await editor(page).waitFor();
      assert.equal(await page.locator(".lab-placeholder").count(), 0);
      const after = await page.locator("#lab-place").getByText("blink every 30m 09:00-17:00").first().boundingBox();
      assert.ok(before && after, "both are visible");
      // The lamp's caption has two lines, or up to four beside the lamp on a phone.
      assert.ok(Math.abs(before.y - after.y) <= 32, `the line moves from ${before.y} to ${after.y}`);
      assert.deepEqual(browserErrors, []);
    });
  }

  test("it starts in the right page if a button is held down meanwhile", async ({ newVisitor }) => {
    const { page, browserErrors } = await newVisitor();
    const release = await holdShell(page);
    await page.goto("/schedule-lab");
    await page.locator(".lab-placeholder").hover();
    await page.mouse.down();
    release();
    await page.waitForTimeout(1_500);
    assert.equal(await page.locator("#root").count(), 1, "the page waits for the release");
    await page.mouse.up();
    await shellIsThere(page);
    await editor(page).waitFor();
    assert.equal(await page.locator(".lab-placeholder").count(), 0);
    assert.deepEqual(browserErrors, []);
  });

  test("a visitor with a schedule sees no other before it", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await page.goto("/schedule-lab");
    await editor(page).fill(`${FILE}on 07:00-07:30\n`);
    const release = await holdLab(page);
    await page.reload();
    await shellIsThere(page);
    assert.equal(await page.locator(".lab-placeholder").count(), 1);
    assert.equal(await page.locator(".lab-placeholder").isVisible(), false);
    release();
    await page.waitForFunction(() => {
      const area = document.getElementById("lab-text");
      return area instanceof HTMLTextAreaElement && area.value.includes("07:00-07:30");
    });
  });

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

  test("no text is lost: it is kept, an example that replaces it is undone, and a download with errors asks first", async ({
    newVisitor,
  }) => {
    const { page, context, browserErrors } = await opensTheLab(newVisitor);
    const mine = `${FILE}on 07:00-07:30 wekdays # mine\n`;
    await editor(page).fill(mine);
    await page.getByRole("group", { name: "Examples" }).getByRole("button", { name: "Medicine" }).click();
    await page.getByText("2 rules, no problems").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    assert.equal(await editor(page).inputValue(), mine);
    assert.equal(await page.getByRole("button", { name: "Undo" }).count(), 0);

    let downloads = 0;
    page.on("download", () => (downloads += 1));
    await page.getByRole("button", { name: "Download schedule.txt" }).click();
    await page.getByText("This file has errors. Download it anyway?").waitFor();
    assert.equal(downloads, 0);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download Anyway" }).click(),
    ]);
    assert.equal(await readFile(await download.path(), "utf8"), mine);

    await page.reload();
    await editor(page).waitFor();
    assert.equal(await editor(page).inputValue(), mine);
    const later = await context.newPage();
    await later.goto("/schedule-lab#schedule=trash-night");
    await later.getByRole("button", { name: "Undo" }).click();
    assert.equal(await editor(later).inputValue(), mine.replace(" correct horse", ""), "the password is not kept");
    assert.deepEqual(browserErrors, []);
  });

  test("the day is played in ten seconds on the lamp, which shows a blink of ten seconds and returns to now", async ({
    newVisitor,
  }) => {
    const { page } = await newVisitor();
    await page.clock.install({ time: new Date("2026-11-27T15:00:00Z") });
    await page.goto("/schedule-lab");
    await editor(page).waitFor();
    await page.clock.pauseAt(new Date("2026-11-27T15:01:00Z"));
    await editor(page).fill("timezone = UTC\nblink 09:00 for 10s\non 18:00-22:00 40%\n");
    await page.getByRole("button", { name: "Play the Day" }).click();
    /** @type {string[]} */
    const seen = [];
    for (let step = 0; step < 195; step += 1) {
      await page.clock.runFor(50);
      const lit = await page.locator(".lab-lamp .device").getAttribute("data-lamp");
      const state = lit === "off" ? "off" : ((await page.locator(".lab-lamp").getAttribute("data-level")) ?? "");
      if (seen.at(-1) !== state) seen.push(state);
    }
    assert.deepEqual(seen, ["off", "full", "off", "middle", "off"]);
    await page.clock.runFor(1_000);
    assert.match(await page.getByTestId("lab-moment").innerText(), /Fri Nov 27, 3:01/);
  });

  test("a minute shows each flash, and moves on with the time", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await page.clock.install({ time: new Date("2026-11-27T15:00:00Z") });
    await page.goto("/schedule-lab");
    await editor(page).waitFor();
    await page.clock.pauseAt(new Date("2026-11-27T15:01:50Z"));
    await editor(page).fill("timezone = UTC\nblink 15:02 for 4s\n");
    await page.getByRole("button", { name: "Minute", exact: true }).click();
    assert.equal(await page.getByTestId("lab-blinking").getAttribute("d"), "");
    await page.clock.runFor(11_000);
    await page.getByText("3:02 PM", { exact: true }).waitFor();
    assert.equal(await page.getByTestId("lab-blinking").getAttribute("d"), "M0 100v-100h1v100zM2 100v-100h1v100z");
    for (const key of ["Home", "PageUp", "ArrowRight"]) await moment(page).press(key);
    assert.match(await page.getByTestId("lab-moment").innerText(), /Fri Nov 27, 3:02:11 PM$/);
    // The end of the range belongs to the next one.
    await moment(page).fill("60");
    await page.clock.runFor(100);
    assert.match(await page.getByTestId("lab-moment").innerText(), /3:02:59 PM$/);
    await page.getByRole("button", { name: "Play the Day" }).click();
    await page.getByRole("button", { name: "Day", exact: true, pressed: true }).waitFor();
    await page.clock.runFor(1_000);
    await page.getByRole("button", { name: "Minute", exact: true }).click();
    const minute = async () => /^.*, \d+:\d\d/.exec(await page.getByTestId("lab-moment").innerText())?.[0];
    const played = await minute();
    assert.ok(played);
    await page.clock.runFor(500);
    assert.equal(await minute(), played, "it no longer plays");
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
    const { page, browserErrors } = await newVisitor({ reducedMotion: "reduce" });
    await page.clock.install({ time: new Date("2026-11-27T15:00:00Z") });
    await page.goto("/tutorial#lab");
    await editor(page).waitFor();
    await page.clock.pauseAt(new Date("2026-11-27T15:02:00Z"));
    await editor(page).fill("timezone = UTC\n");
    await page.getByLabel("When", { exact: true }).selectOption("every");
    await page.getByLabel("From", { exact: true }).fill("00:00");
    await page.getByLabel("Until", { exact: true }).fill("23:00");
    for (const day of ["sat", "sun"]) await page.getByRole("checkbox", { name: day }).check();
    await page.getByRole("button", { name: "Add Rule" }).click();
    assert.equal(await editor(page).inputValue(), "timezone = UTC\nblink every 30m 00:00-23:00 for 10s\n");
    await moment(page).press("Home");
    await page.getByTestId("lab-state").getByText("Blinking").waitFor();
    await page.getByRole("button", { name: "Day", exact: true }).click();
    await moment(page).press("Home");
    for (const key of ["PageUp", "PageUp", "ArrowLeft"]) await moment(page).press(key);
    await page.getByTestId("lab-state").getByText("Off").waitFor();
    assert.match(await page.getByTestId("lab-moment").innerText(), /, 1:59.* AM$/);
    assert.equal(await page.getByTestId("lab-next").innerText(), "Next: blinks at 2 AM for 10 s.");
    assert.match((await moment(page).getAttribute("aria-valuetext")) ?? "", /1:59.* AM, Off/);
    await page.getByRole("button", { name: "Next Change" }).click();
    await page.getByTestId("lab-state").getByText("Blinking").waitFor();
    await moment(page).press("End");
    assert.match(await page.getByTestId("lab-moment").innerText(), /, 11:59.* PM$/);
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
    // The same bars, lower.
    await page.waitForFunction(
      (bars) => document.querySelector("[data-testid=lab-blinking]")?.getAttribute("d") === bars,
      week?.replaceAll("v-100", "v-33").replaceAll("v100", "v33"),
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
    await page.getByRole("button", { name: "Share by Link" }).click();
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

  test("what people write becomes a line that the light reads, or a sentence, in the browser as on the server", async ({
    newVisitor,
  }) => {
    /** @type {{ typed: string, line?: string, sentence?: string }[]} */
    const phrases = JSON.parse(await readFile(new URL("../../app/testdata/phrases.json", import.meta.url), "utf8"));
    const { page, browserErrors } = await opensTheLab(newVisitor);
    const problems = page.getByRole("list", { name: "Problems" }).getByRole("listitem");
    // A file has 64 rules at most.
    for (let first = 0; first < phrases.length; first += 40) {
      const part = phrases.slice(first, first + 40);
      await editor(page).fill(["timezone = UTC", ...part.map(({ typed }) => typed)].join("\n"));
      await problems.filter({ hasText: `Line ${part.length + 1}: ` }).waitFor();
      for (const [index, { line, sentence }] of part.entries()) {
        const said = await problems.nth(index).locator("p").innerText();
        assert.equal(said, `Line ${index + 2}: ${line === undefined ? sentence : `Almost: ${line}`}`);
      }
    }
    await editor(page).fill("timezone = UTC\nturn on from 9 to 5 on weekdays # work\n");
    await page.getByRole("button", { name: "Line 2: Use it" }).click();
    await page.getByText("1 rule, no problems").waitFor();
    assert.equal(await editor(page).inputValue(), "timezone = UTC\non 09:00-17:00 weekdays # work\n");
    assert.deepEqual(browserErrors, []);
  });

  test("has its own page, where the lamp stays in view on a phone", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await page.goto("/about");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Schedule Lab" }).click();
    await page.getByRole("heading", { name: "Schedule Lab", level: 1 }).waitFor();
    await editor(page).waitFor();
    await resize(page, 390);
    // A long line breaks, and the lines behind the text area break at the same characters.
    await editor(page).fill(
      `# ${"a long comment ".repeat(9)}\nblink every 30m 09:00-17:00 for 10s weekdays ${"x".repeat(90)}\n`,
    );
    const [text, lines] = await editor(page).evaluate((area) => [
      [area.scrollWidth <= area.clientWidth, area.scrollHeight],
      [true, area.previousElementSibling?.scrollHeight],
    ]);
    assert.deepEqual(text, lines);
    await editor(page).fill(`timezone = UTC\n${"on 09:00-10:00\n".repeat(40)}`);
    await page.evaluate(() => window.scrollTo(0, 900));
    const lamp = page.locator(".lab-lamp");
    await page.waitForFunction(() => window.scrollY > 800);
    const box = await lamp.boundingBox();
    assert.ok(box !== null && box.y >= 0 && box.y < 40 && box.height < 200, JSON.stringify(box));
  });

  test("the light on the home page obeys a line, and the line goes along", async ({ newVisitor }) => {
    const { page, browserErrors } = await newVisitor();
    /** @type {string[]} */
    const modules = [];
    page.on("request", (request) => {
      if (/lab_bg.*\.wasm/.test(request.url())) modules.push(request.url());
    });
    await page.goto("/");
    await page.locator("#root").waitFor({ state: "detached" });
    const lamp = page.locator("main figure .device").first();
    const line = page.getByLabel("Write a line. The light obeys.");
    const pressed = (/** @type {string} */ group) =>
      page.getByRole("group", { name: group }).locator("[aria-pressed=true]").allInnerTexts();
    assert.equal(await line.inputValue(), "on 18:00-23:00 40%");
    assert.equal(await lamp.getAttribute("data-lamp"), "on");
    assert.deepEqual([await pressed("Examples"), await pressed("Time of day")], [["Cozy evening"], ["Dusk"]]);
    await page.getByText("On at 40% until 11 PM.").waitFor();
    assert.deepEqual(modules, []);

    await page.getByRole("button", { name: "Day", exact: true }).click();
    await page.getByText("Off until 6 PM.").waitFor();
    assert.equal(await lamp.getAttribute("data-lamp"), "off");
    await page.getByRole("button", { name: "Take a pill" }).click();
    await page.getByText("Blinks for 5 min.").waitFor();
    assert.equal(await lamp.getAttribute("data-lamp"), "blink");
    const animation = () =>
      lamp
        .locator(".lit")
        .first()
        .evaluate((lit) => getComputedStyle(lit).animationName);
    assert.equal(await animation(), "blink");
    await page.emulateMedia({ reducedMotion: "reduce" });
    assert.equal(await animation(), "none");
    assert.equal(modules.length, 1);

    await line.fill("");
    await line.pressSequentially("turn on from 9 to 5 dim");
    await page.getByText("On at 10% until 5 PM.").waitFor();
    assert.equal(await line.inputValue(), "turn on from 9 to 5 dim", "typing goes on undisturbed");
    assert.match((await lamp.getAttribute("aria-label")) ?? "", /glowing\. On a shelf by day/);
    await line.fill("on at sunset");
    await page.getByText("This light has no sunset. Write a time such as 18:00.").waitFor();
    await line.fill(`x\u0007${"y".repeat(10_000)}`);
    await page.getByText("Off: the light skips this line.").waitFor();
    await line.fill("turn on from 9 to 5 dim");
    await page.getByRole("button", { name: "Use it" }).click();
    assert.equal(await line.inputValue(), "on 09:00-17:00 10%");

    await page.getByRole("link", { name: "Take this light home" }).click();
    await page.waitForURL("**/products/*");
    await page.getByRole("link", { name: "Try it in the Schedule Lab" }).click();
    await editor(page).waitFor();
    assert.match(await editor(page).inputValue(), /^timezone = .+\n\non 09:00-17:00 10%\n$/);
    assert.deepEqual(browserErrors, []);
  });

  test("long lines, control characters, and a clock that jumps leave it working", async ({ newVisitor }) => {
    const { page, browserErrors } = await newVisitor();
    await page.clock.install({ time: new Date("2026-11-27T08:30:00Z") });
    await page.goto("/schedule-lab");
    await editor(page).waitFor();
    const long = "on 07:00-07:30 ".repeat(667);
    await editor(page).fill(`timezone = UTC\non 08:00-09:00 daily\nbl\u0007ink\u0001 09:00\n${long}\n`);
    await page.getByText("1 rule, 2 problems").waitFor();
    await page.getByRole("list", { name: "Problems" }).getByText("Too long: the rest is skipped.").waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    for (const [time, state] of /** @type {const} */ ([
      ["2026-11-27T07:10:00Z", "off"],
      ["2026-11-20T08:15:00Z", "on"],
      ["2027-03-01T09:05:00Z", "off"],
      ["2027-03-02T08:00:00Z", "on"],
    ])) {
      await page.clock.setSystemTime(new Date(time));
      await page.clock.runFor(2_000);
      await page.locator(`.lab-lamp .device[data-lamp=${state}]`).waitFor({ timeout: 5_000 });
    }
    assert.deepEqual(browserErrors, []);
  });

  test("without scripts the home page has its picture and its rule", async ({ newVisitor }) => {
    const { page } = await newVisitor({ javaScriptEnabled: false });
    await page.goto("/");
    await page.locator("main figure code").getByText("on 18:00-23:00 40%").waitFor();
    await page.getByText("On at 40% until 11 PM.").waitFor();
    assert.equal(await page.locator("#hero-line").isVisible(), false);
  });
});
