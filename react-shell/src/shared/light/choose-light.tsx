import { Usb } from "lucide-react";
import { useEffect, useState, type DragEvent } from "react";
import type { LightFunctions } from "../rust-lab";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { allowWriting, DriveError, droppedDrive, OTHER_LIGHT, pickDrive, recognizeLight, type Light } from "./drive";
import { recallLight, rememberLight, type RememberedLight } from "./remembered-light";
import { useAttempt } from "./use-attempt";

interface Props {
  lab: LightFunctions;
  onChosen: (light: Light) => void;
}

/** Chooses the light's drive: by the folder picker, by a drop, or the one from the last visit. */
export function ChooseLight({ lab, onChosen }: Props) {
  const { error, isRunning, attempt } = useAttempt();
  const [isOver, setOver] = useState(false);
  const remembered = useRemembered();

  async function use(drive: FileSystemDirectoryHandle, serial?: string) {
    await allowWriting(drive);
    const light = await recognizeLight(drive, lab);
    if (serial !== undefined && serial !== light.report.serial) throw new DriveError(OTHER_LIGHT);
    await rememberLight({ drive, serial: light.report.serial });
    onChosen(light);
  }

  const choose = () =>
    attempt(async () => {
      const drive = await pickDrive();
      if (drive !== undefined) await use(drive);
    });

  function onDragOver(event: DragEvent) {
    event.preventDefault();
    setOver(true);
  }

  function onDrop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    // The list of dropped items is empty after this event.
    const dropped = droppedDrive(event.dataTransfer);
    void attempt(async () => use(await dropped));
  }

  return (
    <div className="grid gap-4">
      <p>
        Plug in your light. A drive named NUDGELIGHT appears. Your browser will ask whether this page may edit its
        files.
      </p>
      <div
        data-testid="light-drop"
        className={`grid justify-items-center gap-3 rounded-card border border-dashed p-5 text-center ${isOver ? "border-glow bg-glow/10" : "border-edge"}`}
        onDragOver={onDragOver}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <Usb aria-hidden className="size-10 text-glow-ink" />
        {remembered !== undefined && (
          <Button
            variant="primary"
            disabled={isRunning}
            onClick={() => void attempt(() => use(remembered.drive, remembered.serial))}
          >
            Use Light {remembered.serial.slice(-4)}
          </Button>
        )}
        <Button
          variant={remembered === undefined ? "primary" : "secondary"}
          disabled={isRunning}
          onClick={() => void choose()}
        >
          {remembered === undefined ? "Choose Your Light" : "Choose Another Light"}
        </Button>
        <p className="text-sm text-muted">Or drag the drive here.</p>
      </div>
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      <p className="text-sm text-muted">
        Nothing is sent over the network: your Wi-Fi password stays on this computer.
      </p>
    </div>
  );
}

function useRemembered(): RememberedLight | undefined {
  const [remembered, setRemembered] = useState<RememberedLight>();
  useEffect(() => {
    let isWanted = true;
    void recallLight().then((light) => isWanted && setRemembered(light));
    return () => {
      isWanted = false;
    };
  }, []);
  return remembered;
}
