// Cases of wasm-core/testdata/schedules/: files with the light that is expected at some moments.
import fs from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, '../../../wasm-core/testdata/schedules');
const MOMENT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?$/;

/** The cases whose schedule the device accepts, with the moments that Intl can convert. */
export function scheduleCases() {
  return cases().map(readCase).filter(({ checks, isRejected }) => checks.length > 0 && !isRejected);
}

function readCase(name) {
  const text = fs.readFileSync(path.join(folder, `${name}.txt`));
  const expected = fs.readFileSync(path.join(folder, `${name}.expect`), 'utf8').split('\n');
  const zone = expected.find((line) => line.startsWith('timezone '))?.split(' ')[1] ?? zoneOf(text.toString());
  const checks = expected.map((line) => line.split(' ')).filter(([kind]) => kind === 'at' || kind === 'lit');
  const timed = checks.map(([kind, moment, ...light]) => ({ kind, moment, light, at: instant(moment, zone) }));
  // The device rejects a file without valid rules.
  const isRejected = text.length === 0 || (expected.includes('rules 0') && expected.some((line) => line.startsWith('error')));
  return { name, text, checks: timed.filter(({ at }) => at !== undefined), isRejected };
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
