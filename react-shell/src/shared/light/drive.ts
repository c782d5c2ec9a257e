import type { LightFunctions, LightReport } from "../rust-lab";

/** A problem with a drive. Its message is shown to the customer. */
export class DriveError extends Error {}

/** A drive that was recognized as a light. */
export interface Light {
  drive: FileSystemDirectoryHandle;
  report: LightReport;
}

const STATUS = "STATUS.TXT";
const SCHEDULE = "SCHEDULE.TXT";

const NOT_A_LIGHT = "This folder isn’t a light. Choose the drive named NUDGELIGHT.";
const DRIVE_IS_GONE = "Drive not found. Plug in your light and try again.";
export const OTHER_LIGHT = "A different light is plugged in. Choose your light again.";
const NO_PERMISSION = "This page needs permission to use the drive. Choose your light again and allow access.";

/** Opens the folder picker. Undefined if the dialog was canceled. Call it in a click handler. */
export async function pickDrive(): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    return await window.showDirectoryPicker?.({ id: "light", mode: "readwrite", startIn: "desktop" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return undefined;
    throw toDriveError(error);
  }
}

/** The dropped folder. Call it in a drop handler. */
export async function droppedDrive(transfer: DataTransfer): Promise<FileSystemDirectoryHandle> {
  const [item] = transfer.items;
  const handle = await item?.getAsFileSystemHandle?.();
  if (handle?.kind !== "directory") throw new DriveError(NOT_A_LIGHT);
  return handle as FileSystemDirectoryHandle;
}

/** Asks for permission to write. Call it in a click handler. */
export async function allowWriting(drive: FileSystemDirectoryHandle): Promise<void> {
  const state = await withDriveErrors(() => drive.requestPermission({ mode: "readwrite" }));
  if (state !== "granted") throw new DriveError(NO_PERMISSION);
}

/** Recognizes a light by the first line of its report. */
export async function recognizeLight(drive: FileSystemDirectoryHandle, lab: LightFunctions): Promise<Light> {
  const text = await readText(drive, STATUS);
  const report = text === undefined ? undefined : lab.readReport(text);
  if (report === undefined) throw new DriveError(NOT_A_LIGHT);
  return { drive, report };
}

/** Reads the light's schedule. Undefined if there is none. */
export function readSchedule({ drive }: Light): Promise<string | undefined> {
  return readText(drive, SCHEDULE);
}

/**
 * Writes the schedule, whole or not at all: the browser writes a temporary file and renames it. Then the file is read
 * and compared.
 */
export async function saveSchedule(light: Light, text: string, lab: LightFunctions): Promise<void> {
  const { report } = await recognizeLight(light.drive, lab);
  if (report.serial !== light.report.serial) throw new DriveError(OTHER_LIGHT);
  const bytes = new TextEncoder().encode(text);
  await withDriveErrors(() => replaceFile(light.drive, SCHEDULE, bytes));
  if ((await readText(light.drive, SCHEDULE)) !== text) {
    throw new DriveError("The saved file doesn’t match your schedule. Save it again.");
  }
}

async function replaceFile(drive: FileSystemDirectoryHandle, name: string, bytes: Uint8Array<ArrayBuffer>) {
  const isNew = (await readText(drive, name)) === undefined;
  const file = await drive.getFileHandle(name, { create: true });
  try {
    const writable = await file.createWritable();
    try {
      await writable.write(bytes);
      await writable.close();
    } catch (error) {
      await writable.abort().catch(() => undefined);
      throw error;
    }
  } catch (error) {
    // What was on the drive stays as it was.
    if (isNew) await drive.removeEntry(name).catch(() => undefined);
    throw error;
  }
}

/** Reads a text file. Undefined if the drive has no such file. */
export function readText(drive: FileSystemDirectoryHandle, name: string): Promise<string | undefined> {
  return withDriveErrors(async () => {
    try {
      const file = await drive.getFileHandle(name);
      return await (await file.getFile()).text();
    } catch (error) {
      const isMissing = error instanceof DOMException && ["NotFoundError", "TypeMismatchError"].includes(error.name);
      if (isMissing && (await isThere(drive))) return undefined;
      throw error;
    }
  });
}

/** Whether the drive is plugged in. */
async function isThere(drive: FileSystemDirectoryHandle): Promise<boolean> {
  try {
    await drive.keys().next();
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === "NotFoundError") return false;
    throw error;
  }
}

/** Runs an operation on a drive. Its errors become `DriveError`s. */
export async function withDriveErrors<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw toDriveError(error);
  }
}

const MESSAGES: Record<string, string> = {
  NotAllowedError: NO_PERMISSION,
  SecurityError: NO_PERMISSION,
  NotFoundError: DRIVE_IS_GONE,
  QuotaExceededError: "The drive is full. Delete a file from it, and save again. Your old schedule is still there.",
  NoModificationAllowedError:
    "The drive can’t be written to. Close other programs that use it, unplug your light and plug it in again, then save. Your old schedule is still there.",
};

function toDriveError(error: unknown): Error {
  if (error instanceof DriveError) return error;
  const name = error instanceof DOMException ? error.name : "";
  const message =
    MESSAGES[name] ??
    "The drive stopped responding. Unplug your light, plug it in again, and try again. Your old schedule is still there.";
  return new DriveError(message, { cause: error });
}
