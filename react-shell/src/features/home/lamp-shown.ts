import type { LampShown } from "../../shared/rust-pages";

/** The lamp of the drawing, and the line of a schedule that lights it. */
export const SHOWN: LampShown = {
  lamp: "on",
  rule: "on 18:00-23:00 daily",
  meaning: "Lit every evening from six to eleven.",
};
