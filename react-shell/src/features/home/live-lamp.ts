import { useEffect, useState } from "react";
import { loadLab } from "../../shared/rust-lab";
import type { LampShown } from "../../shared/rust-pages";

/** What the server paints: the lamp, and the line of a schedule that lights it. */
const PAINTED: LampShown = {
  lamp: "on",
  rule: "on 00:00-24:00",
  meaning: "Lit day and night.",
};

/** The page has been read by then; what evaluates a schedule is not worth waiting for. */
const QUIET_MS = 1_500;
/** Also a page that was left open for days, on a computer that slept, is right again soon. */
const LONGEST_MS = 60_000;

/** The lamp follows a schedule by the visitor's own clock. Without its package it stays as it was painted. */
export function useLiveLamp(): LampShown {
  const [shown, setShown] = useState(PAINTED);
  useEffect(() => {
    let timer = setTimeout(() => void follow(), QUIET_MS);
    let isShown = true;
    async function follow() {
      const lab = await loadLab().catch(() => undefined);
      if (lab === undefined || !isShown) return;
      const { shown: now, holdsFor } = lab.homeLampAt(wallClock());
      setShown((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now));
      timer = setTimeout(() => void follow(), Math.min(holdsFor, LONGEST_MS));
    }
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, []);
  return shown;
}

/** What the visitor's clock shows, in milliseconds, as if it were UTC. */
function wallClock(): bigint {
  const now = new Date();
  return BigInt(now.getTime() - now.getTimezoneOffset() * 60_000);
}
