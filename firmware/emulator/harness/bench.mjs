// What every test begins with: a chip, the computer it is plugged into, and what an owner does with both.
import { Chip, flashed } from './chip.mjs';
import { withFile } from './drive.mjs';
import { Host } from './host.mjs';

const VOLUME = 0x100000;

if (!process.env.FIRMWARE) throw new Error('FIRMWARE names the program: `cargo xtask test --only firmware` sets it');

/** A program that has never run. */
export const factoryNew = () => flashed(process.env.FIRMWARE);

/** What a flash holds of the drive. */
export const volumeOf = (flash) => Buffer.from(flash.slice(VOLUME, VOLUME + 1024 * 1024));

/** A flash on whose drive a schedule lies. */
export function withSchedule(flash, text) {
  const changed = flash.slice();
  changed.set(withFile(volumeOf(flash), 'SCHEDULE.TXT', text), VOLUME);
  return changed;
}

/** A flash on which the program has run once, so that there is a drive. */
export function prepared() {
  const chip = new Chip(factoryNew());
  chip.run(2000);
  return chip.flash;
}

export class Bench {
  constructor(chip) {
    this.chip = chip;
    this.host = new Host(chip);
  }

  plugIn() {
    return this.host.enumerate();
  }

  /** As an editor on a computer does; returns with the last write. */
  save(text) {
    const before = volumeOf(this.chip.flash);
    this.host.writeChanges(before, withFile(before, 'SCHEDULE.TXT', text));
  }

  /** Saves and waits until the file is in use and the lamp has said so. */
  saveAndWait(text) {
    this.save(text);
    this.chip.run(6000);
  }

  /** It is `unixMs` now; what is shown for it is shown. */
  setTime(unixMs) {
    this.chip.setTime(unixMs);
    this.chip.run(0.5);
  }
}
