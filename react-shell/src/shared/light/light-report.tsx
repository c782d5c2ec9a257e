import { CircleCheck, Info, PlugZap, TriangleAlert, Unplug, Usb } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { LightFunctions, LightReport, Statement } from "../rust-lab";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { recognizeLight, type Light } from "./drive";
import { PicturedSteps, type PicturedStep } from "./pictures";
import { useAttempt } from "./use-attempt";
import { watchDrive } from "./watch-drive";

const STEPS: [string, PicturedStep][] = [
  ["eject", { icon: Usb, text: "Eject the drive NUDGELIGHT on your computer." }],
  ["unplug", { icon: Unplug, text: "Unplug the light." }],
  ["plug", { icon: PlugZap, text: "Plug it in again. The report appears here." }],
];

interface Props {
  light: Light;
  lab: LightFunctions;
}

/**
 * Leads to the light's report. The light writes it only while no computer uses the drive, so it must be plugged in
 * again first.
 */
export function LightReportSteps({ light: { drive }, lab }: Props) {
  const { error, isRunning, attempt } = useAttempt();
  const [report, setReport] = useState<LightReport>();
  const wasAway = useRef(false);
  useEffect(() => {
    return watchDrive(drive, lab, (seen) => {
      if (seen === undefined) wasAway.current = true;
      else if (wasAway.current) {
        wasAway.current = false;
        setReport(seen.report);
      }
    });
  }, [drive, lab]);

  const readNow = () => attempt(async () => setReport((await recognizeLight(drive, lab)).report));

  return (
    <div className="grid gap-4">
      <p>The light writes its report when it starts. To read a new one:</p>
      <PicturedSteps steps={STEPS} />
      <div className="flex flex-wrap items-center gap-3">
        <Button disabled={isRunning} onClick={() => void readNow()}>
          Read It Now
        </Button>
        <span className="text-sm text-muted">The report on the drive is from the light’s last start.</span>
      </div>
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      <div role="status">{report !== undefined && <Report report={report} />}</div>
    </div>
  );
}

const ICONS = {
  good: { icon: CircleCheck, color: "text-ok" },
  note: { icon: Info, color: "text-glow-ink" },
  bad: { icon: TriangleAlert, color: "text-bad" },
} as const;

/** The report in plain words, problems first. */
function Report({ report: { version, statements } }: { report: LightReport }) {
  const order = ["bad", "note", "good"];
  const sorted = statements.toSorted((one, other) => order.indexOf(one.tone) - order.indexOf(other.tone));
  return (
    <section aria-labelledby="light-report" className="grid gap-2">
      <h3 id="light-report" className="text-lg">
        Your light says (firmware {version})
      </h3>
      <ul className="grid gap-2">
        {sorted.map((statement) => (
          <ReportLine key={statement.message} statement={statement} />
        ))}
      </ul>
    </section>
  );
}

function ReportLine({ statement: { tone, message, fix } }: { statement: Statement }) {
  const { icon: Icon, color } = ICONS[tone];
  return (
    <li className="flex items-start gap-3 rounded-field border border-line px-4 py-3">
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${color}`} />
      <div className="min-w-0 wrap-anywhere">
        <p>{message}</p>
        {fix !== undefined && <p className="text-sm text-muted">{fix}</p>}
      </div>
    </li>
  );
}
