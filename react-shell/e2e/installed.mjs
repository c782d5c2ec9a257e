import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "@playwright/test";

/** The path of the first of these programs that is installed. @param {string[]} names */
export function installed(...names) {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

/** Skips the tests of missing programs, except in continuous integration, where they fail. @param {string[]} programs */
export function skipWithout(...programs) {
  const isMissing = programs.some((program) => installed(program) === undefined);
  test.skip(isMissing && process.env["CI"] !== "true", `needs ${programs.join(" and ")}`);
}
