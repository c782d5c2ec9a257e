// Calls with values of the wrong type: each exported function of a package, each of its arguments, each wrong value.
// The functions and their arguments come from the package's types, so that a new function is included and needs an
// example.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const CASES = join(import.meta.dirname, "../testdata");

/** @typedef {{ name: string, argument: string, what: string, input: unknown[] }} WrongCall */

/** @type {[what: string, value: unknown][]} */
const VALUES = [
  ["string", "a string"],
  ["number", 2],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["null", null],
  ["undefined", undefined],
  ["object", {}],
  ["array", []],
  ["Date", new Date()],
  ["symbol", Symbol("symbol")],
  ["bigint", 5n],
  ["boolean", true],
  ["function", () => 2],
];

/**
 * @param {string} types the package's `.d.ts`
 * @param {Record<string, unknown[]>} examples valid arguments of each function
 * @returns {WrongCall[]}
 */
export function wrongCalls(types, examples) {
  const functions = [...types.matchAll(/^export function (\w+)\((.*)\): .*;$/gm)].filter(([, name]) => name !== "initSync");
  return functions.flatMap(([, name = "", list = ""]) => {
    const example = examples[name];
    if (example === undefined) throw new Error(`${name} has no example`);
    const parameters = [...list.matchAll(/(\w+)(\??): ([^,]+)/g)];
    if (parameters.length !== example.length) throw new Error(`${name} takes ${parameters.length} arguments: ${list}`);
    return parameters.flatMap(([, argument = "", optional, union = ""], place) => {
      const type = union.replace(" | null", "");
      const wrong = VALUES.filter(([what]) => !isRight(what, type, argument, optional === "?", example[place]));
      return wrong.map(([what, value]) => ({ name, argument, what, input: example.with(place, value) }));
    });
  });
}

/**
 * @param {string} what
 * @param {string} type
 * @param {string} argument
 * @param {boolean} isOptional
 * @param {unknown} example
 */
function isRight(what, type, argument, isOptional, example) {
  if (isOptional && (what === "null" || what === "undefined")) return true;
  // The rule rejects the NaN of an empty field with its own message.
  if (argument === "quantity" && (what === "NaN" || what === "Infinity")) return true;
  // Some string types are enums, and an empty object is not an HTML element.
  if (what === "string") return type === "string" || type === "Iso8601Date";
  if (what === "object") return typeof example === "object" && !Array.isArray(example) && type !== "HTMLElement";
  return Array.isArray(example) ? what === "array" : what === typeof example;
}

/**
 * Valid arguments of each function, from the case with the most arguments.
 * @returns {Record<string, unknown[]>}
 */
export function exampleCalls() {
  const files = readdirSync(CASES, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  const examples = Object.fromEntries(
    files.map((file) => {
      const cases = /** @type {{ input: unknown[] }[]} */ (JSON.parse(readFileSync(join(CASES, file), "utf8")));
      const given = (/** @type {unknown[]} */ input) => input.filter((value) => value !== null).length;
      return [basename(file, ".json"), cases.map(({ input }) => input).sort((a, b) => given(b) - given(a))[0] ?? []];
    }),
  );
  examples["validatePassword"]?.push("password\n123456\n");
  return examples;
}

/**
 * The problem with the result of a call that must throw a `TypeError` with the argument's name; undefined if it does.
 * @param {Record<string, unknown>} exported
 * @param {WrongCall} wrong
 */
export function complaint(exported, { name, argument, what, input }) {
  const call = `${name}, ${argument}: ${what}`;
  try {
    const result = /** @type {(...input: unknown[]) => unknown} */ (exported[name])(...input);
    return `${call} gave ${String(result)}`;
  } catch (error) {
    const { name: kind, message } = /** @type {Error} */ (error);
    const isNamed = message.startsWith(`${argument}: `) || message.startsWith(`${argument}.`);
    return kind === "TypeError" && isNamed ? undefined : `${call} threw ${kind}: ${message}`;
  }
}
