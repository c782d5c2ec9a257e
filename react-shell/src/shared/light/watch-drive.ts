import type { LightFunctions } from "../rust-lab";
import { DriveError, recognizeLight, type Light } from "./drive";

const INTERVAL_MS = 1_000;

/**
 * Calls back each second with the light on this drive, or `undefined` while it is away. Returns a function that stops.
 */
export function watchDrive(
  drive: FileSystemDirectoryHandle,
  lab: LightFunctions,
  onSeen: (light: Light | undefined) => void,
): () => void {
  let isWanted = true;
  async function look() {
    let light: Light | undefined;
    try {
      light = await recognizeLight(drive, lab);
    } catch (error) {
      if (!(error instanceof DriveError)) throw error;
    }
    if (!isWanted) return;
    onSeen(light);
    setTimeout(() => void (isWanted && look()), INTERVAL_MS);
  }
  void look();
  return () => {
    isWanted = false;
  };
}
