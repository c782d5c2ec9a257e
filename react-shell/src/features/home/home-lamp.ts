import { useEffect, useState } from "react";
import { loadLab } from "../../shared/rust-lab";
import type { LampState } from "../../shared/rust-pages";

/** The lamp that the server renders. */
const SERVER_RENDERED: LampState = {
  lamp: "on",
  rule: "on 00:00-24:00",
  meaning: "Lit day and night.",
};

/** Delays loading the Schedule Lab, which evaluates the schedule, until the page is idle. */
const START_DELAY_MS = 1_500;
/** Bounds the error after the computer slept, during which timers do not run. */
const MAX_INTERVAL_MS = 60_000;

/**
 * The home page's lamp, which follows a schedule by the visitor's clock. If the Lab cannot be loaded, it does not
 * change.
 */
export function useHomeLamp(): LampState {
  const [lamp, setLamp] = useState(SERVER_RENDERED);
  useEffect(() => {
    let timer = setTimeout(() => void update(), START_DELAY_MS);
    let isMounted = true;
    async function update() {
      const lab = await loadLab().catch(() => undefined);
      if (lab === undefined || !isMounted) return;
      const { state: now, holdsFor } = lab.homeLampAt(wallClock());
      setLamp((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now));
      timer = setTimeout(() => void update(), Math.min(holdsFor, MAX_INTERVAL_MS));
    }
    return () => {
      isMounted = false;
      clearTimeout(timer);
    };
  }, []);
  return lamp;
}

/** The visitor's local time, as milliseconds since the epoch as if it were UTC. */
function wallClock(): bigint {
  const now = new Date();
  return BigInt(now.getTime() - now.getTimezoneOffset() * 60_000);
}
