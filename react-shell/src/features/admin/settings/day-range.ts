import type { Schema } from "../../../shared/api-types";

export type DayRange = Schema<"DayRange">;

export const INVALID_DAYS = 'Enter business days from 0 to 90, like "3-5" or "3".';

/** Parses `3-5` or `3`. The server checks the limits. */
export function readDayRange(text: string): DayRange | undefined {
  const [, min, max = min] = /^\s*(\d{1,2})\s*(?:[-–]\s*(\d{1,2}))?\s*$/.exec(text) ?? [];
  return min === undefined ? undefined : { min: Number(min), max: Number(max) };
}

export function dayRangeText({ min, max }: DayRange): string {
  return min === max ? String(min) : `${min}-${max}`;
}
