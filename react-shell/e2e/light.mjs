import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { openShop } from "./shop.mjs";

/** @typedef {import("@playwright/test").Page} Page */

export const SERIAL = "E6614103E7452D2F";

/** `INFO_UF2.TXT` of a Pico W that waits for its firmware. */
export const BOOT_INFO = "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n";

/** The first lines of a light's report. @param {string} version @param {string} [serial] */
export const statusOf = (version, serial = SERIAL) =>
  `Nudgelight ${version}, serial number ${serial}\r\n\r\nSchedule active: 1 rule, no errors.\r\n\r\nWi-Fi: connecting to "Home"\r\nTime: not known yet, so the schedule is paused\r\nStart: plugged in\r\n`;

/** A folder with the files of a drive. @param {Record<string, string | Uint8Array>} files */
export async function makeDrive(files) {
  const folder = join(await mkdtemp(join(tmpdir(), "nudgelight-drive-")), "NUDGELIGHT");
  await fillDrive(folder, files);
  return folder;
}

/** Plugs a drive in. @param {string} folder @param {Record<string, string | Uint8Array>} files */
export async function fillDrive(folder, files) {
  await mkdir(folder, { recursive: true });
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content)));
}

/**
 * Opens a Chromium whose user has allowed the shop to change these folders on every visit. A headless browser shows no
 * question.
 *
 * @param {string} url the shop's
 * @param {string[]} folders
 * @param {import("@playwright/test").BrowserContextOptions} [options]
 */
export async function openChromium(url, folders, options) {
  const profile = await mkdtemp(join(tmpdir(), "nudgelight-profile-"));
  await mkdir(join(profile, "Default"));
  const objects = folders.map((path) => ({
    path,
    "display-name": "NUDGELIGHT",
    "is-directory": true,
    readable: true,
    writable: true,
  }));
  const origin = `${url},*`;
  const exceptions = {
    file_system_access_chooser_data: { [origin]: { setting: { "chosen-objects": objects } } },
    file_system_access_extended_permission: { [origin]: { setting: 1 } },
  };
  const preferences = { profile: { content_settings: { exceptions } } };
  await writeFile(join(profile, "Default", "Preferences"), JSON.stringify(preferences));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--disable-gpu"],
    viewport: { width: 1280, height: 900 },
    baseURL: url,
    ...options,
  });
  const page = await context.newPage();
  /** @type {string[]} */
  const browserErrors = [];
  page.on("pageerror", (error) => browserErrors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") browserErrors.push(message.text());
  });
  async function close() {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
  return { context, page, browserErrors, close };
}

/** Drops a folder, which gives the page a handle as the picker does. @param {Page} page @param {string} testId @param {string} folder */
export async function drop(page, testId, folder) {
  const target = page.getByTestId(testId);
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (box === null) throw new Error(`${testId} is not drawn`);
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  for (const type of /** @type {const} */ (["dragEnter", "dragOver", "drop"])) {
    await devtools.send("Input.dispatchDragEvent", { type, x, y, data });
  }
  await devtools.detach();
}

/**
 * A UF2 file, and the version of its program: the package's version and the start of the program's hash.
 *
 * @param {string} packageVersion
 * @param {number} [family]
 */
export function firmwareOf(packageVersion, family = 0xe48bff56) {
  const program = (/** @type {string} */ hash) => {
    const flash = Buffer.alloc(512, " ");
    flash.write(`nudgelight-firmware-version ${packageVersion}+${hash} `);
    return flash;
  };
  const hash = createHash("sha256").update(program("--------")).digest("hex").slice(0, 8);
  const flash = program(hash);
  const blocks = [0, 1].map((number) => {
    const block = Buffer.alloc(512);
    const words = [0x0a324655, 0x9e5d5157, 0x2000, 0x10000000 + number * 256, 256, number, 2, family];
    for (const [index, word] of words.entries()) block.writeUInt32LE(word, index * 4);
    flash.copy(block, 32, number * 256, number * 256 + 256);
    block.writeUInt32LE(0x0ab16f30, 508);
    return block;
  });
  return { file: Buffer.concat(blocks), version: `${packageVersion}+${hash}` };
}

/** A shop that offers this firmware. @param {Uint8Array} file */
export async function openShopWithFirmware(file) {
  const data = await mkdtemp(join(tmpdir(), "nudgelight-e2e-"));
  await fillDrive(join(data, "downloads"), { "nudgelight-pico-w.uf2": file });
  const shop = await openShop({ SHOP_DATA_DIR: data });
  async function close() {
    await shop.close();
    await rm(data, { recursive: true });
  }
  return { shop, close };
}

/** Gives the test time to pull the drive out before the page closes a file. @param {Page} page */
export function closeSlowly(page) {
  return page.evaluate(() => {
    const { close } = FileSystemWritableFileStream.prototype;
    FileSystemWritableFileStream.prototype.close = async function slowly() {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await close.call(this).catch((error) => {
        Reflect.set(globalThis, "closing", String(error));
        throw error;
      });
    };
  });
}

/** The error of the file that was closed slowly. @param {Page} page */
export const closingOf = (page) => page.evaluate(() => String(Reflect.get(globalThis, "closing")));

/** The bytes in the temporary file of Chromium, once all are there. @param {string} folder @param {number} length */
export async function receivedBy(folder, length) {
  for (;;) {
    for (const name of await readdir(folder)) {
      if (!name.endsWith(".crswap")) continue;
      const bytes = await readFile(join(folder, name));
      if (bytes.length === length) return bytes;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
