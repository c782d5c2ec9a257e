// Cases of wasm-core/testdata/schedules/ on the emulated chip: save the file, set the clock, check the lamp.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

import { Bench, formatted } from '../harness/bench.mjs';
import { Chip } from '../harness/chip.mjs';

const folder = path.join(import.meta.dirname, '../../../wasm-core/testdata/schedules');
const MOMENT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?$/;

let bench;
before(() => {
  bench = new Bench(new Chip(formatted()));
  bench.plugIn();
});

for (const name of cases()) {
  const text = fs.readFileSync(path.join(folder, `${name}.txt`));
  const expected = fs.readFileSync(path.join(folder, `${name}.expect`), 'utf8').split('\n');
  const zone = expected.find((line) => line.startsWith('timezone '))?.split(' ')[1] ?? zoneOf(text.toString());
  const checks = expected.map((line) => line.split(' ')).filter(([kind]) => kind === 'at' || kind === 'lit');
  const timed = checks.map(([kind, moment, ...light]) => ({ kind, moment, light, at: instant(moment, zone) }));
  const usable = timed.filter(({ at }) => at !== undefined);
  // The device rejects a file without valid rules.
  const isRejected = text.length === 0 || (expected.includes('rules 0') && expected.some((line) => line.startsWith('error')));
  if (usable.length === 0 || isRejected) continue;
  test(name, () => {
    bench.saveAndWait(text);
    for (const { kind, moment, light, at } of usable) check(kind, moment, light, at);
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

function cases() {
  const names = fs.readdirSync(folder).filter((file) => file.endsWith('.txt')).map((file) => path.parse(file).name);
  return names.sort();
}

function zoneOf(text) {
  return /^\s*timezone\s*=\s*(\S+)\s*$/im.exec(text)?.[1] ?? 'UTC';
}

/** Milliseconds since 1970. undefined for a local time in a zone that Intl does not support. */
function instant(moment, zone) {
  const [, local, offset] = MOMENT.exec(moment) ?? [];
  if (local === undefined) return undefined;
  if (offset) return Date.parse(moment);
  const wall = Date.parse(`${local}Z`);
  for (let minutes = -14 * 60; minutes <= 14 * 60; minutes += 15) {
    const at = wall + minutes * 60_000;
    const shown = wallClock(at, zone);
    if (shown === undefined) return undefined;
    if (shown === Math.floor(wall / 1000) * 1000) return at;
  }
  return undefined;
}

/** Local time in a zone, encoded as if it were UTC. */
function wallClock(at, zone) {
  try {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    return Date.parse(`${format.format(at).replace(' ', 'T')}Z`);
  } catch {
    return undefined;
  }
}
