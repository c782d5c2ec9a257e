/** The time of day of an RFC 3339 timestamp, as it is written there: `9:42 PM`. */
export function clockTime(at: string): string {
  const hour = Number(at.slice(11, 13));
  return `${hour % 12 || 12}:${at.slice(14, 16)} ${hour < 12 ? "AM" : "PM"}`;
}

/** The day of an instant in the zone of a local timestamp: `2026-11-23`. */
function dayBeside(at: string, ms: number): string {
  const [, sign = "+", hours = "0", minutes = "0"] = /([+-])(\d\d):(\d\d)$/.exec(at) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  return new Date(ms + offset * 60_000).toISOString().slice(0, 10);
}

const DAY = 24 * 60 * 60 * 1000;

/** `today at 9:50 PM`, `yesterday at 9:50 PM`; undefined for another day. */
export function recentTime(at: string, now: number): string | undefined {
  const day = at.slice(0, 10);
  if (day === dayBeside(at, now)) return `today at ${clockTime(at)}`;
  if (day === dayBeside(at, now - DAY)) return `yesterday at ${clockTime(at)}`;
  return undefined;
}
