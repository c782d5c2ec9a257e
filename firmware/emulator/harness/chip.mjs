// An RP2040 with the firmware in its flash, as it is when it gets power.
import fs from 'node:fs';
import { RP2040 } from 'rp2040js';

import { bootRom } from './boot-rom.mjs';

export const FLASH_BYTES = 2 * 1024 * 1024;
const FLASH = 0x10000000;
/** What boot2 leaves the chip with: the vector table lies behind boot2 itself. */
const VECTORS = 0x100;
const LAMP = 15;
const LAMP_SLICE = 7;
const PERIOD = 31250;

/** A flash with a program in it and nothing else. */
export function flashed(elf) {
  const flash = new Uint8Array(FLASH_BYTES).fill(0xff);
  for (const { address, bytes } of segments(fs.readFileSync(elf))) flash.set(bytes, address - FLASH);
  return flash;
}

/** The parts of an ELF file that belong into the flash. */
function* segments(file) {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const [table, size, count] = [view.getUint32(28, true), view.getUint16(42, true), view.getUint16(44, true)];
  for (let at = table; at < table + size * count; at += size) {
    const [type, offset, address, length] = [0, 4, 12, 16].map((field) => view.getUint32(at + field, true));
    if (type === 1 && length > 0 && address >= FLASH && address < FLASH + FLASH_BYTES) {
      yield { address, bytes: file.subarray(offset, offset + length) };
    }
  }
}

export class Chip {
  /**
   * @param flash what the flash holds
   * @param watchdog what the watchdog's registers kept over a reset: `{ reason, scratch }`
   */
  constructor(flash, watchdog) {
    this.mcu = new RP2040();
    this.mcu.logger = listener(this.mcu);
    this.mcu.flash.set(flash);
    const { core } = this.mcu;
    core.VTOR = FLASH + VECTORS;
    core.SP = this.mcu.flashView.getUint32(VECTORS, true);
    core.PC = this.mcu.flashView.getUint32(VECTORS + 4, true) & ~1;
    // The cache's controls, which the emulator lacks and the program waits for before it erases: never busy.
    this.mcu.peripherals[0x14000] ??= { readUint32: () => 0, writeUint32() {}, writeUint32Atomic() {} };
    mendSerialLine(this.mcu, this.mcu.uart[0]);
    mendPwm(this.mcu.pwm.channels[LAMP_SLICE]);
    this.erased = [];
    bootRom(this.mcu, (address) => this.erased.push(address));
    this.edges = [];
    this.mcu.gpio[LAMP].addListener(() => this.#edge());
    this.wasReset = false;
    const dog = this.mcu.peripherals[0x40058];
    dog.onWatchdogTrigger = () => {
      this.wasReset = true;
      dog.alarm.enable = false;
    };
    if (watchdog) {
      dog.reason = watchdog.reason;
      dog.scratchData.set(watchdog.scratch);
    }
  }

  /** Simulated time since power, in milliseconds. */
  get now() {
    return this.mcu.clock.nanos / 1e6;
  }

  get flash() {
    return this.mcu.flash.slice(0, FLASH_BYTES);
  }

  get isLit() {
    return this.mcu.gpio[LAMP].outputValue;
  }

  /** The brightness in whole percent, from how much of a period the lamp is lit. */
  get percent() {
    return Math.round(((this.mcu.pwm.channels[LAMP_SLICE].cc >>> 16) * 100) / PERIOD);
  }

  #edge() {
    const lit = this.isLit;
    if (this.edges.at(-1)?.lit !== lit) this.edges.push({ at: this.now, lit });
  }

  /** Runs until `done()` or for so many simulated milliseconds; tells whether it was done. */
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

  /** Time passes and the program does not: it hangs. */
  hang(ms) {
    this.mcu.clock.tick(ms * 1e6);
  }

  /** The same chip after its plug was drawn and put in again. */
  afterPowerCycle() {
    return new Chip(this.flash);
  }

  /** The same chip after its watchdog has reset it. */
  afterReset() {
    const { reason, scratchData } = this.mcu.peripherals[0x40058];
    return new Chip(this.flash, { reason, scratch: scratchData });
  }

  /** Says the time over the serial line: it is `unixMs` when the last character has come. */
  setTime(unixMs) {
    const line = `time ${Math.floor(unixMs / 1000)}.${String(unixMs % 1000).padStart(3, '0')}\n`;
    for (const letter of line) this.mcu.uart[0].feedByte(letter.charCodeAt(0));
  }
}

/**
 * The emulated line says all the time that it could send more, where a real one says so when it has sent something;
 * and it lacks the register that tells whether a DMA channel reads it, which none does.
 */
function mendSerialLine(mcu, uart) {
  const DMA_CONTROL = 0x48;
  uart.checkInterrupts = () => mcu.setInterrupt(uart.irq, (uart.interruptStatus & uart.interruptMask) !== 0);
  const read = uart.readUint32.bind(uart);
  uart.readUint32 = (offset) => (offset === DMA_CONTROL ? 0 : read(offset));
}

/** The emulator tells of the instruction SEV and does nothing; it is how one task wakes another. */
function listener(mcu) {
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

/** An alarm of the counter may be rounded to no time at all, and then be due for ever: it takes a cycle at least. */
function mendPwm({ alarmA, alarmB, alarmBottom }) {
  const CYCLE_NANOS = 8;
  for (const { clockAlarm } of [alarmA, alarmB, alarmBottom]) {
    const schedule = clockAlarm.schedule.bind(clockAlarm);
    clockAlarm.schedule = (nanos) => schedule(Math.max(nanos, CYCLE_NANOS));
  }
}
