import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Bench, factoryNew, formatted, volumeOf } from '../harness/bench.mjs';
import { Chip } from '../harness/chip.mjs';
import { file, fsck, label, names } from '../harness/drive.mjs';

const NINE = Date.UTC(2026, 10, 27, 9);

// spec: which appears as a USB drive
test('a new light shows up as a drive within two seconds', () => {
  const bench = new Bench(new Chip(factoryNew()));
  const found = bench.plugIn();
  assert.ok(bench.chip.now < 2000, `${bench.chip.now} ms`);
  assert.deepEqual(found.class, [8, 6, 0x50]);
  assert.equal(found.interfaces, 1);
  assert.equal(found.units, 1);
  assert.match(found.serial, /^[0-9A-F]{16}$/);
  assert.equal(found.product, 'Nudgelight');
  assert.deepEqual([...bench.host.command([0x25, 0, 0, 0, 0, 0, 0, 0, 0, 0], { length: 8 }).data], [0, 0, 7, 255, 0, 0, 2, 0]);
  const volume = bench.host.read(0, 2048);
  fsck(volume);
  assert.match(label(volume), /NUDGELIGHT/);
  assert.deepEqual(names(volume), ['README.TXT', 'SCHEDULE.TXT', 'STATUS.TXT']);
  assert.match(file(volume, 'STATUS.TXT'), /Start: plugged in/);
});

// spec: It is set up by editing a text file on the device
test('a saved schedule is in use after 2.5 seconds, and after the plug was drawn', () => {
  const bench = new Bench(new Chip(formatted()));
  bench.plugIn();
  bench.setTime(NINE);
  bench.save('timezone = UTC\nblink 09:00-10:00 300ms/700ms\n');
  bench.chip.edges.length = 0;
  bench.chip.run(2400);
  assert.equal(bench.chip.edges.length, 0, 'not before');
  bench.chip.run(150);
  assert.equal(bench.chip.isLit, true, 'three flashes: the schedule is active');
  bench.chip.run(3000);
  bench.chip.edges.length = 0;
  bench.chip.run(10_000);
  assert.deepEqual(durations(bench.chip.edges), { lit: [300], dark: [700] });

  const again = new Bench(bench.chip.afterPowerCycle());
  again.plugIn();
  assert.match(file(again.host.read(0, 2048), 'SCHEDULE.TXT'), /300ms\/700ms/);
  again.setTime(NINE);
  again.chip.edges.length = 0;
  again.chip.run(10_000);
  assert.deepEqual(durations(again.chip.edges), { lit: [300], dark: [700] });
});

test('power that goes at any moment of a save leaves the old schedule or the new one', () => {
  const flash = formatted();
  const old = new Bench(new Chip(flash));
  old.plugIn();
  old.saveAndWait('timezone = UTC\non 09:00-10:00 20%\n');
  const start = old.chip.flash;
  const seen = new Set();
  for (const cutAfter of [0, 505, 512, 520, 600, 2490, 2505, 2550, 3000]) {
    const bench = new Bench(new Chip(start));
    bench.plugIn();
    bench.save('timezone = UTC\non 09:00-10:00 70%\n');
    bench.chip.run(cutAfter);
    const again = new Bench(bench.chip.afterPowerCycle());
    again.plugIn();
    fsck(volumeOf(again.chip.flash));
    again.setTime(NINE);
    again.chip.run(3000);
    seen.add(Math.round(again.chip.percent));
  }
  assert.deepEqual([...seen].sort(), [20, 70]);
});

test('a file with mistakes is told of by the lamp and, after it was ejected, by the status', () => {
  const bench = new Bench(new Chip(formatted()));
  bench.plugIn();
  bench.setTime(NINE);
  bench.save('timezone = UTC\nblik 09:00 for 30s\n');
  bench.chip.edges.length = 0;
  bench.chip.run(6000);
  assert.deepEqual(durations(bench.chip.edges).lit, [1200, 150, 150]);
  assert.equal(bench.host.eject(), 0);
  bench.chip.run(1000);
  const status = file(volumeOf(bench.chip.flash), 'STATUS.TXT');
  assert.match(status, /SCHEDULE\.TXT line 2, column 1: error: .*did you mean `blink`/);
  assert.match(status, /Time: 2026-11-27T09:00:0\d\+00:00 in UTC/);
});

test('without a time the lamp says so and follows no schedule', () => {
  const bench = new Bench(new Chip(formatted()));
  bench.plugIn();
  bench.saveAndWait('timezone = UTC\non 00:00-24:00\n');
  assert.equal(flashes(bench.chip, 10_000), 3, 'three dim flashes in ten seconds');
  bench.setTime(NINE);
  assert.equal(bench.chip.percent, 100);
});

/** Number of times the lamp turns on within `ms` milliseconds. */
function flashes(chip, ms) {
  let count = 0;
  let before = chip.percent;
  for (let passed = 0; passed < ms; passed += 10) {
    chip.run(10);
    if (before === 0 && chip.percent > 0) count += 1;
    before = chip.percent;
  }
  return count;
}

/** Durations between edges, rounded to 10 ms. A single value if all are equal. */
function durations(edges) {
  const lengths = { lit: [], dark: [] };
  edges.slice(1).forEach((edge, index) => {
    const length = Math.round((edge.at - edges[index].at) / 10) * 10;
    lengths[edge.lit ? 'dark' : 'lit'].push(length);
  });
  const once = (all) => (new Set(all).size === 1 ? [all[0]] : all);
  return { lit: once(lengths.lit), dark: once(lengths.dark) };
}
