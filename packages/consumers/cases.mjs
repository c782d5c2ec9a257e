// The cases of `wasm-core/testdata`, as the native tests run them: calls of exported functions with their results.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const CORE = join(import.meta.dirname, "../../wasm-core");
const TAX = ["quoteFor", "tableTax"];
const COMMON_PASSWORDS = readFileSync(join(CORE, "data/common-passwords.txt"), "utf8");

/** @typedef {{ entry: string, name: string, input: unknown[], seen: (result: any) => unknown, is: unknown }} Case */

/** @returns {Case[]} */
export function allCases() {
  return [...ruleCases("testdata"), ...ruleCases("testdata/package"), ...scheduleCases(), ...WRONG_TYPES];
}

/** `FUNCTION.json`: `[{ name, input, expected }]`. */
function ruleCases(folder) {
  return files(folder, ".json").flatMap((file) => {
    const name = file.replace(".json", "");
    const entry = TAX.includes(name) ? "tax" : "index";
    const last = name === "validatePassword" ? [COMMON_PASSWORDS] : [];
    const cases = JSON.parse(readFileSync(join(CORE, folder, file), "utf8"));
    return cases.map(({ input, expected }) => ({ entry, name, input: [...input, ...last], seen: same, is: expected }));
  });
}

/** `NAME.txt` and its expectations `NAME.expect`: see `wasm-core/tests/support/schedule_case.rs`. */
function scheduleCases() {
  const folder = "testdata/schedules";
  return files(folder, ".txt").flatMap((file) => {
    const bytes = readFileSync(join(CORE, folder, file));
    const text = bytes.toString("utf8");
    if (!Buffer.from(text).equals(bytes)) return [];
    const lines = readFileSync(join(CORE, folder, file.replace(".txt", ".expect")), "utf8").split("\n");
    const known = lines.flatMap((line) => scheduleCase(text, line.trimEnd().split(" ")));
    const mistakes = lines
      .filter((line) => /^(error|warning) /.test(line))
      .map((line) => line.split(/[ -]/).slice(0, 2).join(" "));
    return [schedule("parse", [text], found, mistakes), ...known];
  });
}

function scheduleCase(text, [kind, first, second, third]) {
  if (kind === "rules") return [schedule("parse", [text], (parsed) => parsed.rules.length, Number(first))];
  if (kind === "at") return [schedule("lightAt", [text, first], (light) => light.action, second)];
  if (kind === "line") return [schedule("decidingLine", [text, first], (line) => line ?? 0, Number(second))];
  if (kind !== "next") return [];
  const is = second === "none" ? null : `${second} ${third}`;
  return [schedule("nextChange", [text, first], (next) => next && `${next.at} ${next.light.action}`, is)];
}

const found = ({ diagnostics }) => diagnostics.map(({ severity, line, column }) => `${severity} ${line}:${column}`);
const same = (result) => result;
const schedule = (name, input, seen, is) => ({ entry: "schedule", name, input, seen, is });
const thrown = (entry, name, input, message) => ({
  entry,
  name,
  input,
  seen: same,
  is: { throws: `TypeError: ${message}` },
});

const TIME = "expected a time such as 2026-11-27T09:00:05, optionally with an offset or Z";
const WRONG_TYPES = [
  thrown("index", "formatMoney", ["24.99"], "amount: expected a number"),
  thrown("index", "cartCount", [[{}]], "cart[0].id: missing"),
  thrown(
    "tax",
    "quoteFor",
    [{ lines: [{ price: "24.99" }], address: {} }],
    "request.lines[0].price: expected a number",
  ),
  thrown("tax", "tableTax", [null], "request: expected an object"),
  thrown("schedule", "parse", [7], "text: expected a string"),
  thrown("schedule", "lightAt", ["", "soon"], `time: ${TIME}`),
  thrown("schedule", "changesBetween", ["", "2026-11-27T09:00", "2026-11-27"], `before: ${TIME}`),
];

function files(folder, end) {
  return readdirSync(join(CORE, folder))
    .filter((file) => file.endsWith(end))
    .sort();
}
