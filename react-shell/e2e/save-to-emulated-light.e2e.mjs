// The schedules of wasm-core/testdata, saved by the page to a folder, on the emulated chip: its lamp does what the Lab
// showed.
import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "./fixtures.mjs";
import {
  BOOT_INFO,
  closeSlowly,
  closingOf,
  drop,
  fillDrive,
  makeDrive,
  openChromium,
  openShopWithFirmware,
  receivedBy,
} from "./light.mjs";

/** @typedef {import("@playwright/test").Page} Page */

const FIRMWARE = process.env["FIRMWARE"];
const HARNESS = "../../firmware/emulator/harness";

/** @typedef {{ kind: string, at: number, light: string[] }} Check what the light is at an instant */
/** @typedef {{ name: string, text: Buffer, checks: Check[] }} Case */

/** Whether the page's editor can hold the file. @param {Case} schedule */
const isText = ({ text }) => Buffer.from(text.toString()).equals(text) && !/[\0\ufeff]/.test(text.toString());

test("the light does what the Lab showed, for every schedule", async ({ shop }) => {
  test.skip(FIRMWARE === undefined, "needs FIRMWARE, which `cargo xtask test --only browser` builds");
  test.setTimeout(600_000);
  const { Bench, formatted, volumeOf } = await import(`${HARNESS}/bench.mjs`);
  const { Chip } = await import(`${HARNESS}/chip.mjs`);
  const { scheduleCases } = await import(`${HARNESS}/cases.mjs`);
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

  // The page refuses a file that a light would cut off.
  const all = /** @type {Case[]} */ (scheduleCases()).filter(isText).filter(({ text }) => text.length < 8_000);
  assert.ok(all.length > 40, `${all.length} schedules`);
  let compared = 0;
  for (const { name, text, checks } of all) {
    await page.getByLabel("Your schedule").fill(text.toString());
    await save(page, folder);
    // The drive of the chip gets the file as the folder has it.
    const saved = await readFile(join(folder, "SCHEDULE.TXT"));
    const before = volumeOf(bench.chip.flash);
    bench.host.writeChanges(before, withFile(before, "SCHEDULE.TXT", saved));
    bench.chip.run(6_000);
    for (const check of checks.filter(({ kind }) => kind === "at")) {
      const shown = await labAt(page, check.at);
      const moment = `${name} at ${new Date(check.at).toISOString()}`;
      assert.ok(shows(bench, check, shown), `${moment}: the Lab shows ${shown}, the lamp ${bench.chip.percent}%`);
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

/**
 * Whether the lamp does what the Lab shows.
 *
 * @param {any} bench
 * @param {Check} check
 * @param {string} shown
 */
function shows(bench, { at, light }, shown) {
  const percent = Number(/(\d+)%/.exec(shown)?.[1] ?? 100);
  bench.setTime(at);
  if (shown === "Off") return bench.chip.percent === 0;
  if (!shown.startsWith("Blinking")) return bench.chip.percent === percent;
  // One period after the moment, or one before it, is within the window.
  const [lit, dark] = (light[1] ?? "").split("/").map(Number);
  const period = (lit ?? 0) + (dark ?? 0);
  const seen = new Set([bench.chip.percent]);
  const both = () => seen.add(bench.chip.percent).has(percent) && seen.has(0);
  if (bench.chip.run(period, both)) return true;
  bench.setTime(at - period);
  return bench.chip.run(period, both);
}

test("the light runs the firmware that the page copied, although closing the file fails", async () => {
  test.skip(FIRMWARE === undefined, "needs FIRMWARE, which `cargo xtask test --only browser` builds");
  const { Bench, formatted, volumeOf } = await import(`${HARNESS}/bench.mjs`);
  const { Chip, install } = await import(`${HARNESS}/chip.mjs`);
  const { file } = await import(`${HARNESS}/drive.mjs`);
  const firmware = await readFile(String(FIRMWARE));
  const { flash } = new Bench(new Chip(formatted())).chip;
  const old = "0.0.9+00000000";
  const report = String(file(volumeOf(flash), "STATUS.TXT"));
  const version = /^Nudgelight (\S+),/.exec(report)?.[1] ?? "";
  assert.match(version, /^\d+\.\d+\.\d+\+[0-9a-f]{8}$/);
  const folder = await makeDrive({
    "STATUS.TXT": report.replace(version, old),
    "SCHEDULE.TXT": file(volumeOf(flash), "SCHEDULE.TXT"),
  });
  const boot = join(dirname(folder), "RPI-RP2");
  const { shop, close: closeShop } = await openShopWithFirmware(firmware);
  const { page, close } = await openChromium(shop.url, [folder, boot]);
  await page.goto("/schedule-lab");
  await page.getByRole("button", { name: "Save to My Light" }).click({ timeout: 60_000 });
  await drop(page, "light-drop", folder);
  await page.getByRole("button", { name: "Update My Light" }).click();
  await rm(folder, { recursive: true });
  await fillDrive(boot, { "INFO_UF2.TXT": BOOT_INFO });
  await closeSlowly(page);
  await drop(page, "boot-drop", boot);

  // The boot ROM programs the flash, and restarts the chip before the browser has closed the file.
  install(flash, await receivedBy(boot, firmware.length));
  await rm(boot, { recursive: true });
  const updated = new Bench(new Chip(flash));
  updated.plugIn();
  const drive = volumeOf(updated.chip.flash);
  const names = ["STATUS.TXT", "SCHEDULE.TXT"];
  await fillDrive(folder, Object.fromEntries(names.map((name) => [name, file(drive, name)])));
  await page.getByText(`firmware ${version}.`).waitFor();
  assert.match(await closingOf(page), /Error/, "closing failed");
  await close();
  await closeShop();
  await rm(dirname(folder), { recursive: true });
});
