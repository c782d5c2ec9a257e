// The cases of wasm-core/testdata/schedules/ on the chip: each file is saved to the drive, the clock is set, and the
// lamp is looked at.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

import { Bench, prepared } from '../harness/bench.mjs';
import { Chip } from '../harness/chip.mjs';

const folder = path.join(import.meta.dirname, '../../../wasm-core/testdata/schedules');
const MOMENT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?$/;

let bench;
before(() => {
  bench = new Bench(new Chip(prepared()));
  bench.plugIn();
});

for (const name of cases()) {
  const text = fs.readFileSync(path.join(folder, `${name}.txt`));
  const expected = fs.readFileSync(path.join(folder, `${name}.expect`), 'utf8').split('\n');
  const zone = expected.find((line) => line.startsWith('timezone '))?.split(' ')[1] ?? zoneOf(text.toString());
  const looks = expected.map((line) => line.split(' ')).filter(([kind]) => kind === 'at' || kind === 'lit');
  const seen = looks.map(([kind, moment, ...light]) => ({ kind, moment, light, at: instant(moment, zone) }));
  const told = seen.filter(({ at }) => at !== undefined);
  // A file without anything that could be used is not taken up by a device.
  const isRefused = text.length === 0 || (expected.includes('rules 0') && expected.some((line) => line.startsWith('error')));
  if (told.length === 0 || isRefused) continue;
  test(name, () => {
    bench.saveAndWait(text);
    for (const { kind, moment, light, at } of told) look(kind, moment, light, at);
  });
}

function look(kind, moment, light, at) {
  bench.setTime(at);
  const [action, ...how] = kind === 'at' ? light : ['lit'];
  if (action === 'lit') {
    // The chip counts in whole milliseconds, and the next one may have begun since the clock was set.
    if (bench.chip.percent !== Number(light[0])) bench.setTime(at - 1);
    return assert.equal(bench.chip.percent, Number(light[0]), moment);
  }
  if (action === 'off') return assert.equal(bench.chip.percent, 0, moment);
  if (action === 'on') return assert.equal(bench.chip.percent, parseInt(how[0], 10), moment);
  const [lit, dark] = how[0].split('/').map(Number);
  const brightness = parseInt(how[1], 10);
  // One period before the moment and one behind it: one of them lies within the window.
  const found = new Set([bench.chip.percent]);
  const both = () => found.add(bench.chip.percent).has(brightness) && found.has(0);
  if (bench.chip.run(lit + dark, both)) return undefined;
  bench.setTime(at - lit - dark);
  return assert.ok(bench.chip.run(lit + dark, both), `${moment}: both halves of the blink`);
}

function cases() {
  const names = fs.readdirSync(folder).filter((file) => file.endsWith('.txt')).map((file) => path.parse(file).name);
  return names.sort();
}

function zoneOf(text) {
  return /^\s*timezone\s*=\s*(\S+)\s*$/im.exec(text)?.[1] ?? 'UTC';
}

/** Milliseconds since 1970; none for a local time in a zone that only the device's own rules know. */
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

/** What the clock in a zone shows, as if it were UTC. */
function wallClock(at, zone) {
  try {
    const parts = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    return Date.parse(`${parts.format(at).replace(' ', 'T')}Z`);
  } catch {
    return undefined;
  }
}
