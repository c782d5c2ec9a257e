import { expect, test } from "vitest";
import { clockTime, recentTime } from "./clock-time";

test("a time of day is on a clock of twelve hours", () => {
  const times = ["00:05", "09:42", "12:00", "13:01", "23:59"].map((time) => clockTime(`2026-11-23T${time}:00-05:00`));
  expect(times).toEqual(["12:05 AM", "9:42 AM", "12:00 PM", "1:01 PM", "11:59 PM"]);
});

test("today and yesterday are days of the timestamp's zone", () => {
  const lateInTheEvening = Date.parse("2026-11-24T04:30:00Z");
  expect(recentTime("2026-11-23T21:50:00-05:00", lateInTheEvening)).toBe("today at 9:50 PM");
  expect(recentTime("2026-11-22T21:50:00-05:00", lateInTheEvening)).toBe("yesterday at 9:50 PM");
  expect(recentTime("2026-11-21T21:50:00-05:00", lateInTheEvening)).toBeUndefined();
  expect(recentTime("2026-11-24T01:00:00Z", lateInTheEvening)).toBe("today at 1:00 AM");
});
