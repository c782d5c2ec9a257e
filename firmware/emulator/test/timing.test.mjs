// Timing of the lamp's edges: within two milliseconds of the schedule.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Bench, formatted } from '../harness/bench.mjs';
import { Chip } from '../harness/chip.mjs';

const NINE = Date.UTC(2026, 10, 27, 9);
/** Ten minutes with LONG_FORM. */
const SECONDS = process.env.LONG_FORM ? 600 : 60;

/** The lower line wins, and each window's phase counts from its own start. */
const SCHEDULE = `timezone = UTC
blink 09:00-10:00 130ms/370ms
blink every 20s for 7s fast
on    every 50s for 3s
off   09:00:31 for 4s
blink 09:01:00-09:03:30 20ms/30ms
`;

/** Expected state of the lamp `ms` milliseconds after nine. */
function isLit(ms) {
  const s = ms / 1000;
  const phase = (from, lit, dark) => (ms - from * 1000) % (lit + dark) < lit;
  if (s >= 60 && s < 210) return phase(60, 20, 30);
  if (s >= 31 && s < 35) return false;
  // Nine o'clock is 32,400 s after midnight: a multiple of 20 and of 50.
  if (s % 50 < 3) return true;
  if (s % 20 < 7) return phase(Math.floor(s / 20) * 20, 200, 200);
  return phase(0, 130, 370);
}

/** Expected edges: time and new state. */
function expectedEdges() {
  const edges = [];
  for (let ms = 1; ms < SECONDS * 1000; ms += 1) {
    if (isLit(ms) !== isLit(ms - 1)) edges.push({ at: ms, lit: isLit(ms) });
  }
  return edges;
}

test(`at full brightness every edge of ${SECONDS} seconds is within two milliseconds of the schedule`, () => {
  const bench = new Bench(new Chip(formatted()));
  bench.plugIn();
  bench.saveAndWait(SCHEDULE);
  bench.setTime(NINE - 500);
  const nine = bench.chip.now + 499.5;
  bench.chip.run(600.5);
  bench.chip.edges.length = 0;
  bench.chip.run(SECONDS * 1000 - 101 - 5);
  const seen = bench.chip.edges.map(({ at, lit }) => ({ at: at - nine, lit }));
  const expected = expectedEdges().filter(({ at }) => at > 110);
  assert.equal(seen.length, expected.length);
  let worst = 0;
  expected.forEach(({ at, lit }, index) => {
    assert.equal(seen[index].lit, lit, `edge ${index} at ${at} ms`);
    worst = Math.max(worst, Math.abs(seen[index].at - at));
  });
  assert.ok(worst <= 2, `maximum deviation of an edge: ${worst} ms`);
  console.log(`${expected.length} edges, maximum deviation ${worst.toFixed(2)} ms`);
});
