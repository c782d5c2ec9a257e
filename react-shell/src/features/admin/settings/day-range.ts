import type { Schema } from "../../../shared/api-types";

/** The text of a range in its field; `parseDayRange` reads it. */
export function dayRangeText({ min, max }: Schema<"DayRange">): string {
  return min === max ? String(min) : `${min}-${max}`;
}
