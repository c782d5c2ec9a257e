// Fake boot ROM: a function table of breakpoints, implemented here. The real boot ROM accesses the flash over a bus
// that is not emulated. This one erases and programs the emulated flash directly, by the rules of NOR flash.

const TABLE_LOOKUP = 0;

export function bootRom(mcu, onErase) {
  const { core } = mcu;
  const rom = new DataView(mcu.bootrom.buffer);
  rom.setUint32(0x10, 0x0301754d, true); // "Mu", 1, version 3
  rom.setUint16(0x14, 0x100, true); // functions
  rom.setUint16(0x16, 0x180, true); // data
  rom.setUint16(0x18, 0x200 | 1, true); // the lookup: entry 0
  for (let entry = 0; entry < 64; entry += 1) {
    rom.setUint16(0x200 + entry * 4, 0xbe00 | entry, true); // bkpt
    rom.setUint16(0x202 + entry * 4, 0x4770, true); // bx lr
  }
  const names = [''];
  const functions = {
    C4: (to, from, length) => {
      bytes(mcu, from, length).forEach((byte, at) => mcu.writeUint8(to + at, byte));
      return to;
    },
    IF: () => undefined,
    EX: () => undefined,
    FC: () => undefined,
    CX: () => undefined,
    RE: (address, length) => {
      for (let page = address; page < address + length; page += 4096) onErase(page);
      mcu.flash.fill(0xff, address, address + length);
    },
    RP: (address, from, length) => {
      bytes(mcu, from, length).forEach((byte, at) => (mcu.flash[address + at] &= byte));
    },
  };
  mcu.onBreak = (entry) => {
    const [first, second, third] = core.registers;
    if (entry === TABLE_LOOKUP) {
      const name = String.fromCharCode(second & 0xff, second >> 8);
      if (!(name in functions)) throw new Error(`the ROM function ${name} is not emulated`);
      if (!names.includes(name)) names.push(name);
      core.registers[0] = (0x200 + names.indexOf(name) * 4) | 1;
      return;
    }
    const result = functions[names[entry]](first, second, third);
    if (result !== undefined) core.registers[0] = result;
  };
}

function bytes(mcu, from, length) {
  return Uint8Array.from({ length }, (_, at) => mcu.readUint8(from + at));
}
