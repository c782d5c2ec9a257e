import type { Schema } from "../api-types";
import type { LightFunctions } from "../rust-lab";
import { DriveError, readText } from "./drive";

export type OfferedFirmware = Schema<"FirmwareConfig">;

const BOOT_INFO = "INFO_UF2.TXT";
/** Names the chip's boot drive in `INFO_UF2.TXT`. */
const BOARD = "Board-ID: RPI-RP2";
const FILE = "nudgelight-pico-w.uf2";
const NOT_COPIED =
  "The firmware couldn’t be copied. Unplug your light, hold down BOOTSEL while you plug it in, and try again.";

/** Whether the shop's firmware is another than the light's, and not older. */
export function isUpdate(offered: string, running: string): boolean {
  return offered !== running && compareVersions(offered, running) >= 0;
}

/** Compares the packages' versions, without the programs' hashes. */
function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => (version.split("+")[0] ?? "").split(".").map(Number));
  const index = a?.findIndex((part, at) => part !== b?.[at]) ?? -1;
  return index === -1 ? 0 : (a?.[index] ?? 0) - (b?.[index] ?? 0);
}

/** Downloads the firmware, and checks its checksum, chip and version. */
export async function downloadFirmware(
  offered: OfferedFirmware,
  lab: LightFunctions,
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(offered.url).catch(() => undefined);
  if (!response?.ok) throw new DriveError("The firmware couldn’t be downloaded. Check your connection, and try again.");
  const file = new Uint8Array(await response.arrayBuffer());
  if ((await sha256(file)) !== offered.sha256) {
    throw new DriveError("The download is damaged. Reload this page, and try again.");
  }
  return checkedFirmware(file, offered, lab);
}

function checkedFirmware(file: Uint8Array<ArrayBuffer>, offered: OfferedFirmware, lab: LightFunctions) {
  let version;
  try {
    version = lab.firmwareVersion(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    throw new DriveError(`This firmware can’t be installed on your light: ${reason}. Nothing was changed.`);
  }
  if (version !== offered.version)
    throw new DriveError("The shop has newer firmware. Reload this page, and try again.");
  return file;
}

async function sha256(file: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", file));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Copies the firmware to an RP2040's boot drive, and to no other drive. The board restarts as soon as it has all
 * bytes, so closing the file usually fails: the update has succeeded when the light is back with its new version.
 */
export async function copyFirmware(drive: FileSystemDirectoryHandle, file: Uint8Array<ArrayBuffer>): Promise<void> {
  await expectBootDrive(drive);
  try {
    const handle = await drive.getFileHandle(FILE, { create: true });
    const writable = await handle.createWritable();
    await writable.write(file);
    await writable.close().catch(() => undefined);
  } catch (error) {
    throw new DriveError(NOT_COPIED, { cause: error });
  }
}

async function expectBootDrive(drive: FileSystemDirectoryHandle): Promise<void> {
  const info = await readText(drive, BOOT_INFO);
  if (info === undefined) {
    throw new DriveError(
      "This drive isn’t RPI-RP2. Hold down BOOTSEL while you plug the light in, and choose RPI-RP2.",
    );
  }
  const isBoard = info.split("\n").some((line) => line.trim() === BOARD);
  if (!isBoard)
    throw new DriveError(
      "This board doesn’t have an RP2040 chip, so the firmware won’t run on it. Nothing was changed.",
    );
}
