import { Download, PlugZap, Usb } from "lucide-react";
import { downloadFile } from "../download-file";
import type { LightFunctions } from "../rust-lab";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { LampSignal } from "./lamp-signal";
import { PicturedSteps, type PicturedStep } from "./pictures";

const STEPS: [string, PicturedStep][] = [
  ["download", { icon: Download, text: "Download the file. It’s named schedule.txt." }],
  [
    "move",
    {
      icon: Usb,
      text: "Plug your light in, and move the file to the drive NUDGELIGHT. Replace the file that’s there.",
    },
  ],
  ["look", { icon: PlugZap, text: "Look at the lamp: three quick flashes mean that your schedule is active." }],
];

/** For browsers that can't write to a folder: a download, and what to do with it. */
export function DownloadSteps({ text, lab }: { text: string; lab: LightFunctions }) {
  const file = lab.fileForLight(text, lab.lightSettings(text));
  const { wifi } = lab.lightSettings(text);
  const [active] = lab.lampSignals();
  return (
    <div className="grid gap-4">
      <PicturedSteps steps={STEPS} />
      {file.skipped > 0 && <Notice kind="warning">Some lines have errors. Your light will skip them.</Notice>}
      {wifi === "" && (
        <Notice kind="info">
          This file has no Wi-Fi, so the light can’t get the time. Copy the lines wifi and password from the file on
          your light into the downloaded file before you replace the old one.
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="primary"
          onClick={() =>
            downloadFile({ content: new Blob([text], { type: "text/plain;charset=utf-8" }), name: "schedule.txt" })
          }
        >
          Download schedule.txt
        </Button>
        {active !== undefined && <LampSignal signal={active} />}
      </div>
      <p className="text-sm text-muted">
        In Chrome or Edge, this page saves the file to the light for you. If the lamp shows one long flash and two short
        ones, eject the drive, plug it in again, and open STATUS.TXT.
      </p>
    </div>
  );
}
