import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as rules from "../generated/wasm-core/wasm_core.js";

interface Case {
  name: string;
  input: unknown[];
  expected: unknown;
}

const FOLDER = "../wasm-core/testdata";

// One file per function, named after it. The native tests run the same cases.
const files = readdirSync(FOLDER).filter((file) => file.endsWith(".json"));

test("there are cases to run", () => {
  expect(files.length).toBeGreaterThan(20);
});

// Additional arguments of a function.
const common = readFileSync("../wasm-core/data/common-passwords.txt", "utf8");
const additional: Record<string, unknown[]> = { validatePassword: [common] };

describe.each(files.map((file) => file.replace(".json", "")))("%s", (name) => {
  const cases = JSON.parse(readFileSync(`${FOLDER}/${name}.json`, "utf8")) as Case[];
  const rule = (rules as unknown as Record<string, (...input: unknown[]) => unknown>)[name];

  test.each(cases)("$name", ({ input, expected }) => {
    expect(rule?.(...input, ...(additional[name] ?? [])) ?? null).toEqual(expected);
  });
});
