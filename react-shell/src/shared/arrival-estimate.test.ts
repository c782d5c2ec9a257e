import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import * as estimates from "../generated/estimates/estimates.js";
import { CONFIG } from "../test-shop";
import { durationText, estimateArrival } from "./arrival-estimate";

await estimates.default({ module_or_path: await readFile("src/generated/estimates/estimates_bg.wasm") });

describe("the arrival of an order that is placed now", () => {
  const at = (time: string, timeZone: string) =>
    estimateArrival(estimates, { ...CONFIG, time_zone: timeZone }, new Date(time));

  test("counts from the day and hour in the shop's time zone", () => {
    // A Monday: 09:48 in New York, 14:48 in UTC.
    const shown = { us: "Mar 13–18", ca: "Mar 17–25" };
    expect(at("2026-03-09T13:48:00Z", "America/New_York")).toEqual({ ...shown, minutesLeft: 312 });
    expect(at("2026-03-09T13:48:00Z", "UTC")).toEqual({ ...shown, minutesLeft: 72 });
    expect(at("2026-03-09T13:48:00Z", "no such zone")).toEqual({ ...shown, minutesLeft: 72 });
  });

  test("has no time left after the cutoff, on weekends and on holidays", () => {
    for (const time of ["2026-03-09T15:00:00Z", "2026-03-14T09:00:00Z", "2026-11-26T09:00:00Z"]) {
      expect(at(time, "UTC")?.minutesLeft).toBeNull();
    }
  });

  test("is told in hours and minutes", () => {
    expect([1, 60, 312, 0].map(durationText)).toEqual(["1 min", "1 h", "5 h 12 min", "0 min"]);
  });
});
