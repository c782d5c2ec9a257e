// Test bench: a chip and the USB host that it is plugged into.
import { Chip, flashWithFirmware } from './chip.mjs';
import { withFile } from './drive.mjs';
import { UsbHost } from './usb-host.mjs';

const VOLUME = 0x100000;

if (!process.env.FIRMWARE) throw new Error('FIRMWARE is not set: run `cargo xtask test --only firmware`');

/** Flash of a new device. */
export const factoryNew = () => flashWithFirmware(process.env.FIRMWARE);

/** Content of the drive. */
export const volumeOf = (flash) => Buffer.from(flash.slice(VOLUME, VOLUME + 1024 * 1024));

/** Flash after the first start, with a formatted drive. */
export function formatted() {
  const chip = new Chip(factoryNew());
  chip.run(2000);
  return chip.flash;
}

export class Bench {
  constructor(chip) {
    this.chip = chip;
    this.host = new UsbHost(chip);
  }

  plugIn() {
    return this.host.enumerate();
  }

  /** Saves the schedule like a text editor. Returns after the last write. */
  save(text) {
    const before = volumeOf(this.chip.flash);
    this.host.writeChanges(before, withFile(before, 'SCHEDULE.TXT', text));
  }

  /** Saves the schedule and waits until it is active and the lamp signal is over. */
  saveAndWait(text) {
    this.save(text);
    this.chip.run(6000);
  }

  /** Sets the clock and lets the lamp task update its output. */
  setTime(unixMs) {
    this.chip.setTime(unixMs);
    this.chip.run(0.5);
  }
}
