/** The hour after which every order counts for the same day. */
export const NO_CUTOFF = 24;

/** "3 PM", "Midnight", "Noon" or "No cutoff", for an hour from 0 to 24. */
export function cutoffText(hour: number): string {
  if (hour === NO_CUTOFF) return "No cutoff";
  if (hour % 12 === 0) return hour === 0 ? "Midnight" : "Noon";
  return `${hour % 12} ${hour < 12 ? "AM" : "PM"}`;
}
