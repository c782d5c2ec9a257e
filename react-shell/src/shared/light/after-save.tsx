import { useState } from "react";
import type { Signal } from "../rust-lab";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { LampSignal } from "./lamp-signal";

interface Props {
  /** Schedule active, schedule with errors, no Wi-Fi, no time. */
  signals: Signal[];
  onReport: () => void;
  onDone: () => void;
}

const CHOSEN = "border-glow! bg-glow/10!";

type Answer = "active" | "errors" | "other";

/** Says what the lamp does after a save, and asks what it did. */
export function AfterSave({ signals, onReport, onDone }: Props) {
  const [answer, setAnswer] = useState<Answer>();
  const [active, errors, ...others] = signals;
  if (active === undefined || errors === undefined) return null;
  return (
    <div className="grid gap-4">
      <p>SCHEDULE.TXT is on your light. The lamp flashes within three seconds. What did you see?</p>
      <div role="group" aria-label="Lamp signal" className="grid gap-2">
        <Choice signal={active} isChosen={answer === "active"} onChoose={() => setAnswer("active")} />
        <Choice signal={errors} isChosen={answer === "errors"} onChoose={() => setAnswer("errors")} />
        <Button
          aria-pressed={answer === "other"}
          className={answer === "other" ? CHOSEN : ""}
          onClick={() => setAnswer("other")}
        >
          Something else, or nothing
        </Button>
      </div>
      {answer === "active" && (
        <Notice kind="success">Your schedule is active. Eject the drive before you unplug the light.</Notice>
      )}
      {answer === "errors" && (
        <Notice kind="warning">Your schedule has errors. The light’s report lists the lines.</Notice>
      )}
      {answer === "other" && <OtherSignals signals={others} />}
      <div className="flex flex-wrap gap-3">
        <Button variant={answer === "active" ? "primary" : "secondary"} onClick={onDone}>
          Done
        </Button>
        <Button variant={answer === "errors" || answer === "other" ? "primary" : "secondary"} onClick={onReport}>
          Read the Light’s Report
        </Button>
      </div>
    </div>
  );
}

function Choice({ signal, isChosen, onChoose }: { signal: Signal; isChosen: boolean; onChoose: () => void }) {
  return (
    <Button aria-pressed={isChosen} className={`justify-start! text-left ${isChosen ? CHOSEN : ""}`} onClick={onChoose}>
      <LampSignal signal={signal} />
      <span>{signal.flashes.charAt(0).toUpperCase() + signal.flashes.slice(1)}</span>
    </Button>
  );
}

function OtherSignals({ signals }: { signals: Signal[] }) {
  return (
    <Notice kind="info">
      <p>If the lamp keeps flashing:</p>
      <ul className="mt-2 grid gap-2">
        {signals.map((signal) => (
          <li key={signal.flashes} className="flex items-center gap-3">
            <LampSignal signal={signal} />
            <span>
              {signal.flashes}: {signal.meaning}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-2">Otherwise read the light’s report.</p>
    </Notice>
  );
}
