// The schedules of wasm-core/testdata, saved by the page to a folder, on the emulated chip: its lamp does what the Lab
// showed.
import assert from "node:assert/strict";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "./fixtures.mjs";
import { drop, fillDrive, makeDrive, openChromium } from "./light.mjs";

/** @typedef {import("@playwright/test").Page} Page */

const FIRMWARE = process.env["FIRMWARE"];
const HARNESS = "../../firmware/emulator/harness";
const CASES = new URL("../../wasm-core/testdata/schedules/", import.meta.url);

/** The schedules that are text of a light's size, with the instants at which their light is known. */
async function cases() {
  const names = (await readdir(CASES)).filter((name) => name.endsWith(".txt")).toSorted();
  const all = names.map(async (name) => {
    const bytes = await readFile(new URL(name, CASES));
    const expected = await readFile(new URL(name.replace(".txt", ".expect"), CASES), "utf8");
    const text = bytes.toString();
    const instants = expected.split("\n").flatMap((line) => /^at (\S+(?:Z|[+-]\d\d:\d\d)) /.exec(line)?.[1] ?? []);
    const isText = Buffer.from(text).equals(bytes) && !/[\0\r\ufeff]/.test(text) && bytes.length < 8_000;
    const utc = /^\s*timezone\s*=\s*UTC\s*$/im.test(text)
      ? expected
          .split("\n")
          .flatMap((line) => /^at (\d{4}-\d\d-\d\dT[\d:]+) /.exec(line)?.[1] ?? [])
          .map((at) => `${at}Z`)
      : [];
    const isRejected = /^rules 0$/m.test(expected) && /^error/m.test(expected);
    return { name, text, at: [...instants, ...utc].map((at) => Date.parse(at)), isUsable: isText && !isRejected };
  });
  return (await Promise.all(all)).filter(({ isUsable, at }) => isUsable && at.length > 0);
}

test("the light does what the Lab showed, for every schedule", async ({ shop }) => {
  test.skip(FIRMWARE === undefined, "needs FIRMWARE, which `cargo xtask test --only browser` builds");
  test.setTimeout(600_000);
  const { Bench, formatted, volumeOf } = await import(`${HARNESS}/bench.mjs`);
  const { Chip } = await import(`${HARNESS}/chip.mjs`);
  const { file, withFile } = await import(`${HARNESS}/drive.mjs`);
  const bench = new Bench(new Chip(formatted()));
  bench.plugIn();
  const content = (/** @type {string} */ name) => file(volumeOf(bench.chip.flash), name);
  const folder = await makeDrive({});
  const files = ["STATUS.TXT", "SCHEDULE.TXT", "README.TXT"];
  await fillDrive(folder, Object.fromEntries(files.map((name) => [name, content(name)])));
  const { page, close } = await openChromium(shop.url, [folder], { reducedMotion: "reduce" });
  await page.goto("/schedule-lab");
  await page.getByLabel("Your schedule").waitFor();

  const all = await cases();
  assert.ok(all.length > 40, `${all.length} schedules`);
  let compared = 0;
  for (const { name, text, at } of all) {
    await page.getByLabel("Your schedule").fill(text);
    await save(page, folder);
    // The drive of the chip gets the file as the folder has it.
    const saved = await readFile(join(folder, "SCHEDULE.TXT"));
    const before = volumeOf(bench.chip.flash);
    bench.host.writeChanges(before, withFile(before, "SCHEDULE.TXT", saved));
    bench.chip.run(6_000);
    for (const moment of at) {
      const shown = await labAt(page, moment);
      bench.setTime(moment);
      assert.ok(
        shows(bench.chip, shown),
        `${name} at ${new Date(moment).toISOString()}: ${shown}, ${bench.chip.percent}`,
      );
      compared += 1;
    }
  }
  process.stdout.write(`${all.length} schedules, ${compared} moments\n`);
  await close();
  await rm(dirname(folder), { recursive: true });
});

/** Saves the text in the Lab with its own time zone. @param {Page} page @param {string} folder */
async function save(page, folder) {
  // A new light: its time zone is that of the schedule.
  await writeFile(join(folder, "SCHEDULE.TXT"), "timezone = UTC\r\n");
  await page.getByRole("button", { name: "Save to My Light" }).click();
  await drop(page, "light-drop", folder);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("heading", { name: /^Saved/ }).waitFor();
  await page.getByRole("button", { name: "Done" }).click();
}

/** What the Lab shows at a moment. @param {Page} page @param {number} moment */
async function labAt(page, moment) {
  await page.evaluate((ms) => {
    Date.now = () => ms;
  }, moment);
  await page.getByRole("button", { name: "Now", exact: true }).click();
  return page.getByTestId("lab-state").innerText();
}

/** Whether the lamp of the chip does what the Lab shows. @param {any} chip @param {string} shown */
function shows(chip, shown) {
  const percent = Number(/(\d+)%/.exec(shown)?.[1] ?? 100);
  if (shown === "Off") return chip.percent === 0;
  if (shown.startsWith("On")) return chip.percent === percent;
  // Both phases of the blink, within two minutes.
  const seen = new Set([chip.percent]);
  return chip.run(120_000, () => seen.add(chip.percent).has(percent) && seen.has(0));
}
