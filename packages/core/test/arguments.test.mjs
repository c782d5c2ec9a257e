// A value of the wrong type is a `TypeError` that names the argument, in every exported function.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { complaint, exampleCalls, wrongCalls } from "../../../wasm-core/tests/wrong-types.mjs";
import * as index from "../dist/index.js";
import * as schedule from "../dist/schedule.js";
import * as tax from "../dist/tax.js";

const [text, time] = ["on daily", "2026-11-27T09:00:05"];
const delivery = { handling: { min: 1, max: 2 }, transit: { US: { min: 3, max: 5 }, CA: { min: 5, max: 10 } } };
const EXAMPLES = {
  ...exampleCalls(),
  parse: [text],
  display: [text],
  lightAt: [text, time],
  decidingLine: [text, time],
  nextChange: [text, time],
  changesBetween: [text, time, time],
  week: [text, time],
  estimateTax: ["US", "CA", 49.98, 6.2],
  estimatedArrival: [`${time}Z`, "US", delivery],
  minutesToCutoff: [`${time}Z`, delivery],
};

for (const [entry, exported] of Object.entries({ index, schedule, tax })) {
  test(`${entry}: a wrong type throws a TypeError that names the argument, before anything else happens`, () => {
    const types = readFileSync(new URL(`../dist/${entry}.d.ts`, import.meta.url), "utf8");
    const wrong = wrongCalls(types, EXAMPLES);
    assert.ok(wrong.length > 30, `${wrong.length} calls`);
    assert.deepEqual(
      wrong.map((call) => complaint(exported, call)).filter((said) => said !== undefined),
      [],
    );
  });

  test(`${entry}: the functions work after all of the wrong calls`, () => {
    for (const name of Object.keys(exported)) assert.doesNotThrow(() => exported[name](...EXAMPLES[name]), name);
  });
}

test("a time that is none is a TypeError that names the argument", () => {
  const expected = "expected a time such as 2026-11-27T09:00:05, optionally with an offset or Z";
  assert.throws(() => schedule.lightAt(text, "soon"), new TypeError(`time: ${expected}`));
  assert.throws(() => schedule.nextChange(text, ""), new TypeError(`after: ${expected}`));
  assert.throws(() => schedule.changesBetween(text, time, "2026-13-01T00:00"), new TypeError(`before: ${expected}`));
  assert.throws(() => schedule.week(text, "soon"), new TypeError("first: expected a day such as 2026-11-23"));
});

test("a negative amount is a TypeError that names the member", () => {
  const request = { address: { country: "US", state: "CA" }, subtotal: -1, shipping: 0 };
  assert.throws(
    () => tax.tableTax(request),
    new TypeError("request.subtotal: expected an amount that is not negative"),
  );
});
