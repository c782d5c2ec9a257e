import { beforeEach, expect, it } from "vitest";
import { saveText, savedText, newLine } from "./saved-text";
import { keepOwnLine } from "./own-line";

const TEXT = "wifi = Home\n Password = hunter2hunter2\non 07:00-07:30\n";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

it("saves the text in this tab as it is, and for later visits without the password", () => {
  expect(savedText()).toBeUndefined();
  saveText(TEXT);
  expect(savedText()).toBe(TEXT);
  sessionStorage.clear();
  expect(savedText()).toBe("wifi = Home\n Password =\non 07:00-07:30\n");
  expect(JSON.stringify(localStorage)).not.toContain("hunter2");
});

it("a line from the home page counts until a text is written after it", () => {
  keepOwnLine("on 18:00-23:00");
  expect(newLine()).toBe("on 18:00-23:00");
  saveText(TEXT);
  expect(newLine()).toBeUndefined();
  keepOwnLine("blink 08:00 for 5m");
  expect(newLine()).toBe("blink 08:00 for 5m");
});
