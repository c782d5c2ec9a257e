// Projects of other developers: each installs the tarball of `@nudgelight/core` and runs the cases of
// `wasm-core/testdata`, with the same results. `CONSUMERS=all` runs every one, `CONSUMERS=vite,next` these.
import assert from "node:assert/strict";
import { test } from "node:test";
import { allCases } from "./cases.mjs";
import { CONSUMERS, USUAL } from "./consumers.mjs";
import { resultsIn } from "./project.mjs";

const chosen = process.env["CONSUMERS"] ?? USUAL.join(",");
const names = chosen === "all" ? Object.keys(CONSUMERS) : chosen.split(",");
const cases = allCases();

test("there are at least three hundred cases, of every entry", () => {
  assert.ok(cases.length >= 300, `${cases.length}`);
  assert.deepEqual([...new Set(cases.map(({ entry }) => entry))].sort(), ["index", "schedule", "tax"]);
});

for (const name of names) {
  test(`${name} installs the package and gets the results of every case`, async () => {
    const results = resultsIn(await CONSUMERS[name]());
    assert.equal(results.length, cases.length);
    const wrong = cases.flatMap((one, place) => {
      const seen = results[place]?.throws ? results[place] : one.seen(results[place]);
      return isSame(seen, one.is)
        ? []
        : [`${one.entry} ${one.name}: ${JSON.stringify(seen)}, not ${JSON.stringify(one.is)}`];
    });
    assert.deepEqual(wrong, []);
  });
}

function isSame(left, right) {
  try {
    assert.deepEqual(left, right);
    return true;
  } catch {
    return false;
  }
}
