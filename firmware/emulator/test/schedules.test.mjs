// Cases of wasm-core/testdata/schedules/ on the emulated chip: save the file, set the clock, check the lamp.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { Bench, formatted } from '../harness/bench.mjs';
import { scheduleCases } from '../harness/cases.mjs';
import { Chip } from '../harness/chip.mjs';

let bench;
before(() => {
  bench = new Bench(new Chip(formatted()));
  bench.plugIn();
});

for (const { name, text, checks } of scheduleCases()) {
  test(name, () => {
    bench.saveAndWait(text);
    for (const { kind, moment, light, at } of checks) check(kind, moment, light, at);
  });
}

function check(kind, moment, light, at) {
  bench.setTime(at);
  const [action, ...how] = kind === 'at' ? light : ['lit'];
  if (action === 'lit') {
    // The chip counts whole milliseconds, and the next one may already have started.
    if (bench.chip.percent !== Number(light[0])) bench.setTime(at - 1);
    return assert.equal(bench.chip.percent, Number(light[0]), moment);
  }
  if (action === 'off') return assert.equal(bench.chip.percent, 0, moment);
  if (action === 'on') return assert.equal(bench.chip.percent, parseInt(how[0], 10), moment);
  const [lit, dark] = how[0].split('/').map(Number);
  const brightness = parseInt(how[1], 10);
  // One period after the moment, or one before it, is within the window.
  const found = new Set([bench.chip.percent]);
  const both = () => found.add(bench.chip.percent).has(brightness) && found.has(0);
  if (bench.chip.run(lit + dark, both)) return undefined;
  bench.setTime(at - lit - dark);
  return assert.ok(bench.chip.run(lit + dark, both), `${moment}: on and off phase of the blink`);
}
