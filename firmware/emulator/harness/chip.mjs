// RP2040 with the firmware in flash, at power-on.
import fs from 'node:fs';
import { RP2040 } from 'rp2040js';

import { bootRom } from './boot-rom.mjs';

export const FLASH_BYTES = 2 * 1024 * 1024;
const FLASH = 0x10000000;
/** Offset of the vector table, after boot2. */
const VECTORS = 0x100;
const LAMP = 15;
const LAMP_SLICE = 7;
const PERIOD = 31250;

/** Erased flash with the firmware of a UF2 file, copied as the boot ROM does. */
export function flashWithFirmware(uf2) {
  const flash = new Uint8Array(FLASH_BYTES).fill(0xff);
  install(flash, fs.readFileSync(uf2));
  return flash;
}

/** Copies the firmware of a UF2 file over that in the flash. The boot ROM erases no more than it programs. */
export function install(flash, file) {
  for (let at = 0; at < file.length; at += 512) {
    flash.set(file.subarray(at + 32, at + 32 + 256), file.readUInt32LE(at + 12) - FLASH);
  }
}

export class Chip {
  /**
   * @param flash content of the flash
   * @param watchdog watchdog registers after a reset: `{ reason, scratch }`
   */
  constructor(flash, watchdog) {
    this.mcu = new RP2040();
    this.mcu.logger = logger(this.mcu);
    this.mcu.flash.set(flash);
    const { core } = this.mcu;
    core.VTOR = FLASH + VECTORS;
    core.SP = this.mcu.flashView.getUint32(VECTORS, true);
    core.PC = this.mcu.flashView.getUint32(VECTORS + 4, true) & ~1;
    // XIP cache control, missing in the emulator. The firmware waits for it before an erase: never busy.
    this.mcu.peripherals[0x14000] ??= { readUint32: () => 0, writeUint32() {}, writeUint32Atomic() {} };
    patchUart(this.mcu, this.mcu.uart[0]);
    patchPwm(this.mcu.pwm.channels[LAMP_SLICE]);
    this.erased = [];
    bootRom(this.mcu, (address) => this.erased.push(address));
    this.edges = [];
    this.mcu.gpio[LAMP].addListener(() => this.#edge());
    this.wasReset = false;
    const watchdogTimer = this.mcu.peripherals[0x40058];
    watchdogTimer.onWatchdogTrigger = () => {
      this.wasReset = true;
      watchdogTimer.alarm.enable = false;
    };
    if (watchdog) {
      watchdogTimer.reason = watchdog.reason;
      watchdogTimer.scratchData.set(watchdog.scratch);
    }
  }

  /** Simulated time since power-on, in milliseconds. */
  get now() {
    return this.mcu.clock.nanos / 1e6;
  }

  get flash() {
    return this.mcu.flash.slice(0, FLASH_BYTES);
  }

  get isLit() {
    return this.mcu.gpio[LAMP].outputValue;
  }

  /** Brightness in percent, from the PWM duty cycle. */
  get percent() {
    return Math.round(((this.mcu.pwm.channels[LAMP_SLICE].cc >>> 16) * 100) / PERIOD);
  }

  #edge() {
    const lit = this.isLit;
    if (this.edges.at(-1)?.lit !== lit) this.edges.push({ at: this.now, lit });
  }

  /** Runs until `done()` or for `ms` simulated milliseconds. Returns the last result of `done()`. */
  run(ms, done = () => false) {
    const { core, clock } = this.mcu;
    const end = clock.nanos + ms * 1e6;
    while (clock.nanos < end && !this.wasReset) {
      if (done()) return true;
      if (core.waiting) {
        const sleep = clock.nanosToNextAlarm;
        clock.tick(sleep > 0 ? Math.min(sleep, end - clock.nanos) : 1000);
      } else {
        clock.tick(core.executeInstruction() * (1e9 / this.mcu.clkSys));
      }
    }
    return done();
  }

  /** Advances the clock without running the firmware: a hang. */
  hang(ms) {
    this.mcu.clock.tick(ms * 1e6);
  }

  /** The chip after a power cycle. */
  afterPowerCycle() {
    return new Chip(this.flash);
  }

  /** The chip after a watchdog reset. */
  afterReset() {
    const { reason, scratchData } = this.mcu.peripherals[0x40058];
    return new Chip(this.flash, { reason, scratch: scratchData });
  }

  /** Sends the time over the UART. It is `unixMs` at the last character. */
  setTime(unixMs) {
    const line = `time ${Math.floor(unixMs / 1000)}.${String(unixMs % 1000).padStart(3, '0')}\n`;
    for (const character of line) this.mcu.uart[0].feedByte(character.charCodeAt(0));
  }
}

/**
 * Patches two gaps of the emulated UART: its transmit interrupt is always pending, where a real one fires after a
 * transmission, and it lacks the DMA control register, which reads as 0.
 */
function patchUart(mcu, uart) {
  const DMA_CONTROL = 0x48;
  uart.checkInterrupts = () => mcu.setInterrupt(uart.irq, (uart.interruptStatus & uart.interruptMask) !== 0);
  const read = uart.readUint32.bind(uart);
  uart.readUint32 = (offset) => (offset === DMA_CONTROL ? 0 : read(offset));
}

/** Patches the SEV instruction, which the emulator only logs. Tasks wake each other with it. */
function logger(mcu) {
  return {
    debug() {},
    info(_, message) {
      if (message === 'SEV') mcu.core.eventRegistered = true;
    },
    warn() {},
    error(component, message) {
      throw new Error(`${component}: ${message}`);
    },
  };
}

/** Patches PWM alarms that are rounded to 0 ns and then fire forever: the minimum is one cycle. */
function patchPwm({ alarmA, alarmB, alarmBottom }) {
  const CYCLE_NANOS = 8;
  for (const { clockAlarm } of [alarmA, alarmB, alarmBottom]) {
    const schedule = clockAlarm.schedule.bind(clockAlarm);
    clockAlarm.schedule = (nanos) => schedule(Math.max(nanos, CYCLE_NANOS));
  }
}
