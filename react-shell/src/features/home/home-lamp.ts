import { useRef, useState } from "react";
import { loadLab } from "../../shared/rust-lab";
import type { HomeHour, LampState } from "../../shared/rust-pages";

/** The lamp that the server renders: the sample schedule in the evening. */
const SERVER_RENDERED: LampState = {
  lamp: "on",
  rule: "on 18:00-23:00 40%",
  meaning: "On at 40% until 23:00.",
};

/**
 * The home page's lamp at the chosen hour. The Schedule Lab, which evaluates the schedule, loads with the first choice.
 * If it cannot be loaded, the lamp does not change.
 */
export function useHomeLamp(): { hour: HomeHour; lamp: LampState; chooseHour: (hour: HomeHour) => void } {
  const [shown, setShown] = useState<{ hour: HomeHour; lamp: LampState }>({ hour: "evening", lamp: SERVER_RENDERED });
  const latest = useRef<HomeHour>("evening");

  async function chooseHour(hour: HomeHour) {
    latest.current = hour;
    const lab = await loadLab().catch(() => undefined);
    if (lab !== undefined && latest.current === hour) setShown({ hour, lamp: lab.homeLampAt(hour) });
  }

  return { ...shown, chooseHour: (hour) => void chooseHour(hour) };
}
