import { HardDrive, PlugZap, Unplug } from "lucide-react";
import { useEffect, useState } from "react";
import type { LightFunctions } from "../rust-lab";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { allowWriting, droppedDrive, pickDrive, type Light } from "./drive";
import { copyFirmware, downloadFirmware, type OfferedFirmware } from "./firmware-update";
import { PicturedSteps, type PicturedStep } from "./pictures";
import { useAttempt } from "./use-attempt";
import { watchDrive } from "./watch-drive";

const STEPS: [string, PicturedStep][] = [
  ["unplug", { icon: Unplug, text: "Eject the drive, and unplug the light." }],
  ["hold", { icon: PlugZap, text: "Hold down the BOOTSEL button on the board while you plug the light in again." }],
  ["choose", { icon: HardDrive, text: "A drive named RPI-RP2 appears. Choose it below." }],
];

interface Props {
  light: Light;
  firmware: OfferedFirmware;
  lab: LightFunctions;
  /** The light is back with the new firmware. */
  onUpdated: (light: Light) => void;
}

type Progress = "steps" | "copied" | "old";

/** Leads through an update of the firmware. */
export function UpdateLight({ light, firmware, lab, onUpdated }: Props) {
  const { error, isRunning, attempt } = useAttempt();
  const [progress, setProgress] = useState<Progress>("steps");
  const isCopied = progress !== "steps";
  useEffect(() => {
    if (!isCopied) return undefined;
    return watchDrive(light.drive, lab, (seen) => {
      if (seen === undefined || seen.report.serial !== light.report.serial) return;
      if (seen.report.version === firmware.version) onUpdated(seen);
      else setProgress("old");
    });
  }, [isCopied, light, lab, firmware, onUpdated]);

  const update = (choice: () => Promise<FileSystemDirectoryHandle | undefined>) =>
    attempt(async () => {
      const drive = await choice();
      if (drive === undefined) return;
      await allowWriting(drive);
      await copyFirmware(drive, await downloadFirmware(firmware, lab));
      setProgress("copied");
    });

  return (
    <div className="grid gap-4">
      <p>
        Your light runs firmware {light.report.version}. Version {firmware.version} is available. Your schedule and your
        files stay on the light.
      </p>
      <PicturedSteps steps={STEPS} />
      <div
        data-testid="boot-drop"
        className="grid justify-items-center gap-3 rounded-card border border-dashed border-edge p-5 text-center"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          const dropped = droppedDrive(event.dataTransfer);
          void update(() => dropped);
        }}
      >
        <Button variant="primary" disabled={isRunning} onClick={() => void update(pickDrive)}>
          Choose RPI-RP2
        </Button>
        <p className="text-sm text-muted">Or drag the drive here. The page writes to no other drive.</p>
      </div>
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      {progress === "copied" && (
        <Notice kind="info">Installing the firmware. Your light restarts in a few seconds.</Notice>
      )}
      {progress === "old" && (
        <Notice kind="warning">
          Your light is back with firmware {light.report.version}, so the update didn’t take effect. Try again from the
          first step.
        </Notice>
      )}
    </div>
  );
}
