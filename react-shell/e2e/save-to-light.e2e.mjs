import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { violationsOf } from "./axe.mjs";
import { Effort } from "./effort.mjs";
import { openFirefox } from "./firefox.mjs";
import { test as base } from "./fixtures.mjs";
import {
  BOOT_INFO,
  closeSlowly,
  closingOf,
  drop,
  fillDrive,
  firmwareOf,
  makeDrive,
  openChromium,
  openShopWithFirmware,
  receivedBy,
  SERIAL,
  statusOf,
} from "./light.mjs";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {Awaited<ReturnType<typeof openChromium>>} Chromium */

const SETTINGS = "wifi = Home\npassword = correct horse\ntimezone = America/Toronto\ntime-server = time.example\n";
const OLD = `# Mine\r\n${SETTINGS.replaceAll("\n", "\r\n")}on 01:00-02:00\r\n`;
const RULES = "timezone = America/Toronto\n\n# Evening\non 18:00-23:00\n";
const SAVED = `${SETTINGS}\n# Evening\non 18:00-23:00\n`;

/**
 * A light on a real folder, and a Chromium that may change it.
 *
 * @type {import("@playwright/test").Fixtures<{ light: string, chromium: Chromium }, {}, import("./fixtures.mjs").TestArgs, { shop: import("./shop.mjs").Shop } & import("./fixtures.mjs").WorkerArgs>}
 */
const fixtures = {
  // oxlint-disable-next-line no-empty-pattern -- Playwright requires a destructuring pattern
  light: async ({}, use) => {
    const folder = await makeDrive({ "STATUS.TXT": statusOf("0.1.0+11111111"), "SCHEDULE.TXT": OLD });
    await use(folder);
    await rm(dirname(folder), { recursive: true });
  },
  chromium: async ({ shop, light }, use) => {
    const chromium = await openChromium(shop.url, [light, bootOf(light)]);
    await use(chromium);
    await chromium.close();
  },
};
const test = base.extend(fixtures);

const schedule = (/** @type {string} */ folder) => readFile(join(folder, "SCHEDULE.TXT"), "utf8");
const button = (/** @type {Page} */ page, /** @type {string} */ name) =>
  page.getByRole("button", { name, exact: true });

/** Opens the dialog with a schedule. @param {Page} page @param {string} [text] */
async function opensTheDialog(page, text = RULES) {
  await page.goto("/schedule-lab");
  // Each browser of its own compiles the Lab's package again.
  await page.getByLabel("Your schedule").fill(text, { timeout: 60_000 });
  await button(page, "Save to My Light").click();
  await page.getByTestId("light-drop").waitFor();
}

/** @param {Page} page @param {string} light @param {string} [text] */
async function choosesTheLight(page, light, text) {
  await opensTheDialog(page, text);
  await drop(page, "light-drop", light);
  await page.getByLabel("Wi-Fi network").waitFor();
}

/** Where the boot drive of a light appears. @param {string} light */
const bootOf = (light) => join(dirname(light), "RPI-RP2");

/** A shop with this firmware, and a browser. @param {Uint8Array} file @param {string} light */
async function shopWith(file, light) {
  const { shop, close: closeShop } = await openShopWithFirmware(file);
  const chromium = await openChromium(shop.url, [light, bootOf(light)]);
  async function close() {
    await chromium.close();
    await closeShop();
  }
  return { ...chromium, close };
}

/** @param {string[]} options */
const mount = (...options) => execFileSync("mount", ["-o", ...options], { stdio: "ignore" });

/** Expects a sentence. @param {Page} page @param {string} sentence */
const says = (page, sentence) => page.getByRole("alert").filter({ hasText: sentence }).waitFor();

test.describe("Save to my light", () => {
  // spec: It is set up by editing a text file on the device
  test("writes the schedule with the light's own settings, and sends nothing", async ({ light, chromium }) => {
    const { page, browserErrors } = chromium;
    await fillDrive(light, {
      "._SCHEDULE.TXT": "a Mac's",
      "SCHEDULE.TXT.crswap": "interrupted",
      "notes.txt": "my own",
    });
    await opensTheDialog(page);
    await page.waitForLoadState("networkidle");
    /** @type {string[]} */
    const requests = [];
    page.on("request", (request) => requests.push(request.url()));
    await drop(page, "light-drop", light);
    await page.getByText(`Light ${SERIAL}, firmware 0.1.0+11111111.`).waitFor();
    assert.equal(await page.getByLabel("Wi-Fi network").inputValue(), "Home");
    assert.equal(await page.getByLabel("Wi-Fi password").inputValue(), "correct horse");
    await button(page, "Save").click();
    await page.getByRole("heading", { name: "Saved. What did the lamp do?" }).waitFor();
    assert.equal(await schedule(light), SAVED);
    assert.deepEqual(requests, [], "no request between choosing and saving");
    const files = ["._SCHEDULE.TXT", "SCHEDULE.TXT", "SCHEDULE.TXT.crswap", "STATUS.TXT", "notes.txt"];
    const kept = (await readdir(light)).filter((name) => name !== "SCHEDULE.TXT.crswap");
    assert.deepEqual(kept.toSorted(), files.filter((name) => name !== "SCHEDULE.TXT.crswap").toSorted());
    assert.equal(await readFile(join(light, "._SCHEDULE.TXT"), "utf8"), "a Mac's");
    await button(page, "Three quick flashes").click();
    await page.getByText("Your schedule is active.").waitFor();
    await button(page, "Done").click();
    assert.deepEqual(browserErrors, []);
  });

  test("remembers the light, and changes only the settings that were changed", async ({ light, chromium }) => {
    const { page } = chromium;
    await choosesTheLight(page, light);
    await page.keyboard.press("Escape");
    await page.reload();
    await page.getByLabel("Your schedule").fill("timezone = Europe/Berlin\non 05:00-06:00\n");
    await button(page, "Save to My Light").click();
    await button(page, "Use Light 2D2F").click();
    await button(page, "Use Europe/Berlin, as in your schedule").click();
    await page.getByLabel("Wi-Fi password").fill("a new secret");
    await button(page, "Save").click();
    await page.getByRole("heading", { name: /^Saved/ }).waitFor();
    const changed = SETTINGS.replace("correct horse", "a new secret").replace("America/Toronto", "Europe/Berlin");
    assert.equal(await schedule(light), `${changed}on 05:00-06:00\n`);
  });

  test("a new owner types three fields on the way from the box to a rule of their own", async ({ light, chromium }) => {
    const { page } = chromium;
    await fillDrive(light, { "SCHEDULE.TXT": "# Nudgelight\r\n#wifi = Home Network\r\ntimezone = UTC\r\n" });
    const effort = new Effort(page);
    const dialog = page.getByRole("dialog");
    effort.typed("nudgelight.example/schedule-lab\n");
    await page.goto("/schedule-lab");
    await effort.read(page.getByText(/^Write your schedule, fix/));
    await effort.type("Your schedule", "on 18:30-22:15 weekdays 40%");
    await effort.press("Save to My Light");
    await dialog.getByRole("button", { name: "Choose Your Light" }).waitFor();
    await effort.read(dialog);
    // "Choose Your Light", the drive, the picker's button, and the browser's question. The drop takes their place.
    for (const _ of ["choose", "drive", "select", "allow"]) effort.clicked();
    await drop(page, "light-drop", light);
    await button(page, "Save").waitFor();
    await effort.read(dialog);
    await effort.type("Wi-Fi network", "Home Network");
    await effort.type("Wi-Fi password", "correct horse battery");
    await effort.press(/^Save$/);
    await page.getByRole("heading", { name: /^Saved/ }).waitFor();
    await effort.read(dialog);
    await effort.press("Three quick flashes");
    const active = dialog.getByText("Your schedule is active.");
    await active.waitFor();
    await effort.read(active);
    await effort.press("Done");
    assert.match(
      await schedule(light),
      /^wifi = Home Network\npassword = correct horse battery\n[^]*on 18:30-22:15 weekdays 40%\n$/,
    );
    effort.log("new owner, from the box to a rule of their own");
    assert.ok(effort.fields <= 3 && effort.presses <= 8, `${effort.fields} fields, ${effort.presses} presses`);
  });

  test("a new light gets the time zone of the schedule", async ({ light, chromium }) => {
    const { page } = chromium;
    await fillDrive(light, { "SCHEDULE.TXT": "# Nudgelight\r\n#wifi = Home Network\r\ntimezone = UTC\r\n" });
    await choosesTheLight(page, light);
    assert.equal(await page.getByLabel("Time zone").inputValue(), "America/Toronto");
    await page.getByLabel("Wi-Fi network").fill("Home");
    await page.getByLabel("Wi-Fi password").fill("correct horse");
    await button(page, "Save").click();
    await page.getByRole("heading", { name: /^Saved/ }).waitFor();
    assert.match(await schedule(light), /^wifi = Home\npassword = correct horse\ntimezone = America\/Toronto\n/);
  });

  test("everyone can use it, with the keyboard alone", async ({ light, chromium }) => {
    const { page } = chromium;
    await opensTheDialog(page);
    assert.deepEqual(await violationsOf(page), []);
    await drop(page, "light-drop", light);
    await button(page, "Save").waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.getByLabel("Time zone").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /^Saved/ }).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    for (const name of ["One long flash, two short ones", "Something else, or nothing"]) {
      await button(page, name).focus();
      await page.keyboard.press("Space");
    }
    await page
      .getByRole("dialog")
      .getByText("two dim flashes every 10 s: no Wi-Fi, so the light cannot get the time")
      .waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await button(page, "Read the Light’s Report").focus();
    await page.keyboard.press("Enter");
    await button(page, "Read It Now").click();
    await page.getByText("Your light says (firmware 0.1.0+11111111)").waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Save to My Light", "focus returns");
  });

  test("what can't be saved is explained, and the drive stays as it was", async ({ light, chromium }) => {
    const { page } = chromium;
    const other = await makeDrive({ "photo.jpg": "…" });
    await opensTheDialog(page);
    await page.evaluate(() => {
      FileSystemHandle.prototype.requestPermission = async () => "granted";
    });
    await drop(page, "light-drop", other);
    await says(page, "This folder isn’t a light. Choose the drive named NUDGELIGHT.");
    await page.evaluate(() => {
      FileSystemHandle.prototype.requestPermission = async () => "denied";
    });
    await drop(page, "light-drop", light);
    await says(page, "This page needs permission to use the drive.");

    await choosesTheLight(page, light, `${RULES}#${"x".repeat(8_193 - SAVED.length - 2)}\n`);
    await says(page, "Your schedule has 8,193 bytes, and the light reads 8,192 at most.");
    assert.equal(await button(page, "Save").getAttribute("aria-disabled"), "true");

    await choosesTheLight(page, light);
    await page.getByLabel("Time zone").fill("America/Tronto");
    await page.getByText("Unknown time zone: “America/Tronto”.").waitFor();
    await button(page, "Use America/Toronto, as in your schedule").click();
    for (const [name, sentence] of [
      ["QuotaExceededError", "The drive is full."],
      ["NoModificationAllowedError", "The drive can’t be written to."],
      ["NotAllowedError", "This page needs permission to use the drive."],
    ]) {
      await page.evaluate((error) => {
        FileSystemWritableFileStream.prototype.close = async function close() {
          throw new DOMException("", error);
        };
      }, name);
      await button(page, "Save").click();
      await says(page, sentence ?? "");
      assert.equal(await schedule(light), OLD, name);
    }
    await rm(other, { recursive: true });
  });

  test("a full drive and a read-only one are named, and keep their schedule", async ({ light, chromium }) => {
    try {
      mount("size=16k", "-t", "tmpfs", "tmpfs", light);
    } catch (error) {
      if (process.env["CI"] && process.getuid?.() === 0) throw error;
      test.skip(true, "needs the right to mount a file system");
    }
    try {
      const { page } = chromium;
      await fillDrive(light, { "STATUS.TXT": statusOf("0.1.0+11111111"), "SCHEDULE.TXT": OLD });
      const filler = join(light, "photo.jpg");
      await assert.rejects(writeFile(filler, "x".repeat(16_384)), /ENOSPC/);
      await choosesTheLight(page, light);
      await button(page, "Save").click();
      await says(page, "The drive is full.");
      await rm(filler);
      mount("remount,ro", light);
      await button(page, "Save").click();
      await says(page, "The drive can’t be written to.");
      assert.deepEqual((await readdir(light)).toSorted(), ["SCHEDULE.TXT", "STATUS.TXT"]);
      assert.equal(await schedule(light), OLD);
      mount("remount,rw", light);
      await button(page, "Save").click();
      await page.getByRole("heading", { name: /^Saved/ }).waitFor();
      assert.equal(await schedule(light), SAVED);
    } finally {
      execFileSync("umount", ["--lazy", light]);
    }
  });

  test("a light that is pulled out or exchanged is noticed before anything is written", async ({ light, chromium }) => {
    const { page } = chromium;
    await choosesTheLight(page, light);
    await fillDrive(light, { "STATUS.TXT": statusOf("0.1.0+11111111", "0000000000000000") });
    await button(page, "Save").click();
    await says(page, "A different light is plugged in.");
    assert.equal(await schedule(light), OLD);
    await page.getByRole("button", { name: "Choose another light" }).click();
    await button(page, "Use Light 2D2F").click();
    await says(page, "A different light is plugged in.");
    await fillDrive(light, { "STATUS.TXT": statusOf("0.1.0+11111111") });
    await button(page, "Use Light 2D2F").click();
    await page.getByLabel("Wi-Fi network").waitFor();
    await rm(light, { recursive: true });
    await button(page, "Save").click();
    await says(page, "Drive not found. Plug in your light and try again.");
    await fillDrive(light, { "STATUS.TXT": statusOf("0.1.0+11111111"), "SCHEDULE.TXT": OLD });
    await button(page, "Save").click();
    await page.getByRole("heading", { name: /^Saved/ }).waitFor();
    assert.equal(await schedule(light), SAVED);
  });

  test("the report appears when the light was plugged in again", async ({ light, chromium }) => {
    const { page } = chromium;
    await choosesTheLight(page, light, `${RULES}blik 09:00 for 30s\n`);
    await page.getByText("1 line has an error. Your light will skip it.").waitFor();
    await button(page, "Save").click();
    await button(page, "One long flash, two short ones").click();
    await button(page, "Read the Light’s Report").click();
    await page.waitForTimeout(1_500);
    await rm(light, { recursive: true });
    await page.waitForTimeout(1_500);
    const status = statusOf("0.1.0+11111111").replace(
      "Schedule active: 1 rule, no errors.",
      [
        "SCHEDULE.TXT line 7, column 1: error: this line starts with neither; did you mean `blink`?",
        "Schedule active: 1 rule, 1 error, 0 warnings. Lines with errors are skipped.",
      ].join("\r\n"),
    );
    await fillDrive(light, { "STATUS.TXT": status, "SCHEDULE.TXT": "" });
    await page.getByText("Line 7 is skipped: this line starts with neither; did you mean blink?").waitFor();
    await page.getByText("Correct the line in the Lab, and save again.").waitFor();
    await page.getByText("Your schedule is active with 1 rule, and 1 line skipped.").waitFor();
  });
});

test.describe("Update my light", () => {
  test("copies the firmware to the boot drive, whose restart is the success", async ({ light }) => {
    const { file, version } = firmwareOf("0.2.0");
    const { page, close } = await shopWith(file, light);
    await choosesTheLight(page, light);
    await page.getByText(`Firmware ${version} is available.`).waitFor();
    await button(page, "Update My Light").click();
    assert.deepEqual(await violationsOf(page), []);

    // Neither the light's own drive nor another board's gets a byte.
    await drop(page, "boot-drop", light);
    await says(page, "This drive isn’t RPI-RP2.");
    const boot = bootOf(light);
    await fillDrive(boot, { "INFO_UF2.TXT": BOOT_INFO.replace("RPI-RP2", "RP2350") });
    await drop(page, "boot-drop", boot);
    await says(page, "This board doesn’t have an RP2040 chip");
    assert.deepEqual(await readdir(boot), ["INFO_UF2.TXT"]);
    assert.deepEqual((await readdir(light)).toSorted(), ["SCHEDULE.TXT", "STATUS.TXT"]);

    // The board restarts as soon as it has every byte: its drive is gone when the browser closes the file.
    await fillDrive(boot, { "INFO_UF2.TXT": BOOT_INFO });
    await rm(light, { recursive: true });
    await closeSlowly(page);
    await drop(page, "boot-drop", boot);
    const received = await receivedBy(boot, file.length);
    assert.deepEqual(received, file);
    await rm(boot, { recursive: true });
    await page.getByText("Installing the firmware.").waitFor();
    assert.match(await closingOf(page), /Error/, "closing failed");
    await fillDrive(light, { "STATUS.TXT": statusOf(version), "SCHEDULE.TXT": OLD });
    await page.getByText(`Light ${SERIAL}, firmware ${version}.`).waitFor();
    assert.equal(await page.getByText("is available").count(), 0);
    await close();
  });

  test("a light that is back with its old firmware is told so", async ({ light }) => {
    const { page, close } = await shopWith(firmwareOf("0.1.0").file, light);
    await choosesTheLight(page, light);
    await button(page, "Update My Light").click();
    await fillDrive(bootOf(light), { "INFO_UF2.TXT": BOOT_INFO });
    await drop(page, "boot-drop", bootOf(light));
    await says(page, "Your light is back with firmware 0.1.0+11111111, so the update didn’t take effect.");
    await close();
  });

  test("a damaged download is not copied", async ({ light }) => {
    const { page, close } = await shopWith(firmwareOf("0.2.0").file, light);
    await page.route("**/downloads/*", (route) => route.fulfill({ body: firmwareOf("0.2.0", 0xe48bff57).file }));
    await choosesTheLight(page, light);
    await button(page, "Update My Light").click();
    await fillDrive(bootOf(light), { "INFO_UF2.TXT": BOOT_INFO });
    await drop(page, "boot-drop", bootOf(light));
    await says(page, "The download is damaged. Reload this page, and try again.");
    assert.deepEqual(await readdir(bootOf(light)), ["INFO_UF2.TXT"]);
    await close();
  });

  test("older firmware is not offered", async ({ light }) => {
    await fillDrive(light, { "STATUS.TXT": statusOf("0.10.0+11111111") });
    const { page, close } = await shopWith(firmwareOf("0.9.0").file, light);
    await choosesTheLight(page, light);
    assert.equal(await button(page, "Update My Light").count(), 0);
    await close();
  });
});

test.describe("in Firefox", () => {
  test("the file is downloaded, and three steps lead on", async ({ shop }) => {
    const firefox = await openFirefox();
    const page = await firefox.newPage();
    await page.goto(`${shop.url}/schedule-lab`);
    await page.waitForSelector("#lab-text");
    await page.locator("::-p-aria(Save to My Light)").click();
    await page
      .locator("::-p-aria([role='dialog'] [role='button'][name='Download schedule.txt'])")
      .wait()
      .catch(() => undefined);
    await page.waitForFunction(() => document.querySelectorAll("[role=dialog] ol > li").length === 3);
    const said = await page.$eval("[role=dialog]", (dialog) => dialog.textContent);
    assert.match(said ?? "", /Download the file.*drive NUDGELIGHT.*three quick flashes/);
    assert.match(said ?? "", /This file has no Wi-Fi/);
    await firefox.close();
  });
});
