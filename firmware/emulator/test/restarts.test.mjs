// Watchdog resets and panics.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Bench, formatted, volumeOf } from '../harness/bench.mjs';
import { Chip } from '../harness/chip.mjs';
import { file } from '../harness/drive.mjs';

test('a program that hangs is started again, and says so', () => {
  const chip = new Chip(formatted());
  chip.run(20_000);
  assert.equal(chip.wasReset, false, 'the watchdog is fed');
  chip.hang(9000);
  assert.equal(chip.wasReset, true);
  const again = new Bench(chip.afterReset());
  again.plugIn();
  assert.match(file(volumeOf(again.chip.flash), 'STATUS.TXT'), /Start: restarted because the firmware stopped responding/);
});

test('a fault leaves its place in the status', () => {
  const magic = 0x214c4e46;
  const chip = new Chip(formatted(), { reason: 2, scratch: [magic, (0x3f2a << 16) | 117, 0, 0, 0, 0, 0, 0] });
  const bench = new Bench(chip);
  bench.plugIn();
  assert.match(file(volumeOf(chip.flash), 'STATUS.TXT'), /Start: restarted after a crash, code 3F2A-117/);
  const fresh = new Bench(chip.afterPowerCycle());
  fresh.plugIn();
  assert.match(file(volumeOf(fresh.chip.flash), 'STATUS.TXT'), /Start: plugged in/);
});
