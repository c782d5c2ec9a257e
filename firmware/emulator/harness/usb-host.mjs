// Simulated USB host: enumerates the chip and sends SCSI commands to its drive.

const AVAILABLE = 1 << 10;
const OUT_CONTROL = (endpoint) => 0x84 + endpoint * 8;

export class UsbHost {
  constructor(chip) {
    this.chip = chip;
    this.usb = chip.mcu.usbCtrl;
    this.received = new Map();
    this.armed = new Map();
    this.tag = 0;
    patchOutBuffers(this.usb, chip.mcu);
    this.usb.onUSBEnabled = () => this.usb.resetDevice();
    this.usb.onResetReceived = () => (this.wasReset = true);
    this.usb.onEndpointWrite = (endpoint, bytes) => this.#queue(endpoint).push(bytes);
    this.usb.onEndpointRead = (endpoint, length) => this.armed.set(endpoint, length);
  }

  #queue(endpoint) {
    if (!this.received.has(endpoint)) this.received.set(endpoint, []);
    return this.received.get(endpoint);
  }

  /** Enumerates the device and returns its descriptors. */
  enumerate() {
    this.#waitFor(() => this.wasReset, 'the device responds to the bus reset');
    this.#control([0x00, 5, 1, 0, 0, 0, 0, 0]);
    const device = this.#control([0x80, 6, 0, 1, 0, 0, 18, 0]);
    const head = this.#control([0x80, 6, 0, 2, 0, 0, 9, 0]);
    const configuration = this.#control([0x80, 6, 0, 2, 0, 0, head[2], head[3]]);
    const serial = text(this.#control([0x80, 6, device[16], 3, 9, 4, 255, 0]));
    const product = text(this.#control([0x80, 6, device[15], 3, 9, 4, 255, 0]));
    this.#control([0x00, 9, 1, 0, 0, 0, 0, 0]);
    const interfaces = [...descriptors(configuration)].filter(([, type]) => type === 4);
    const endpoints = [...descriptors(configuration)].filter(([, type]) => type === 5).map((bytes) => bytes[2]);
    this.in = endpoints.find((address) => address & 0x80) & 0x7f;
    this.out = endpoints.find((address) => !(address & 0x80));
    const units = this.#control([0xa1, 0xfe, 0, 0, 0, 0, 1, 0]);
    return { class: [...interfaces[0].slice(5, 8)], interfaces: interfaces.length, serial, product, units: units[0] + 1 };
  }

  /** Control transfer with its status stage. */
  #control(setup) {
    this.#queue(0).length = 0;
    this.armed.delete(0);
    this.usb.sendSetupPacket(Uint8Array.from(setup));
    const wanted = setup[6] | (setup[7] << 8);
    if (!(setup[0] & 0x80)) {
      this.#waitFor(() => this.#queue(0).length > 0, 'the device acknowledges a request');
      return new Uint8Array();
    }
    let response = [];
    for (;;) {
      this.#waitFor(() => this.#queue(0).length > 0, 'the device responds to a request');
      const packet = this.#queue(0).shift();
      response = response.concat([...packet]);
      if (packet.length < 64 || response.length >= wanted) break;
    }
    this.#waitFor(() => this.armed.has(0), 'the device waits for the status stage');
    this.#fill(0, new Uint8Array());
    this.chip.run(1);
    return Uint8Array.from(response);
  }

  #fill(endpoint, bytes) {
    this.armed.delete(endpoint);
    this.usb.endpointReadDone(endpoint, bytes);
  }

  #send(bytes) {
    for (let at = 0; at < bytes.length; at += 64) {
      this.#waitFor(() => this.armed.has(this.out), 'the device receives a packet');
      this.#fill(this.out, bytes.slice(at, at + 64));
    }
  }

  #receive() {
    this.#waitFor(() => this.#queue(this.in).length > 0, 'the device sends a packet');
    return this.#queue(this.in).shift();
  }

  #waitFor(condition, event) {
    if (!this.chip.run(5000, condition)) throw new Error(`timeout after 5 s: ${event}`);
  }

  /** SCSI command that writes `data` or reads `length` bytes. */
  command(block, { data, length = 0 } = {}) {
    const cbw = new Uint8Array(31);
    const view = new DataView(cbw.buffer);
    this.tag += 1;
    cbw.set([0x55, 0x53, 0x42, 0x43]);
    view.setUint32(4, this.tag, true);
    view.setUint32(8, data ? data.length : length, true);
    cbw[12] = data ? 0 : 0x80;
    cbw[14] = block.length;
    cbw.set(block, 15);
    this.#send(cbw);
    if (data) this.#send(data);
    const received = [];
    for (;;) {
      const packet = this.#receive();
      if (packet.length === 13 && packet[0] === 0x55 && packet[3] === 0x53) {
        return { status: packet[12], data: Uint8Array.from(received) };
      }
      received.push(...packet);
    }
  }

  read(sector, count) {
    const chunks = [];
    for (let at = 0; at < count; at += 128) {
      const length = Math.min(128, count - at);
      const { status, data } = this.command(block(0x28, sector + at, length), { length: length * 512 });
      if (status !== 0) throw new Error(`READ(10) at ${sector + at} has status ${status}`);
      chunks.push(data);
    }
    return Buffer.concat(chunks);
  }

  write(sector, data) {
    const { status } = this.command(block(0x2a, sector, data.length / 512), { data });
    if (status !== 0) throw new Error(`WRITE(10) at ${sector} has status ${status}`);
  }

  /** Writes the sectors that differ between two drive images. */
  writeChanges(before, after) {
    for (let sector = 0; sector * 512 < before.length; sector += 1) {
      const [old, now] = [before, after].map((volume) => volume.subarray(sector * 512, sector * 512 + 512));
      if (!old.equals(now)) this.write(sector, now);
    }
  }

  eject() {
    return this.command([0x1b, 0, 0, 0, 2, 0]).status;
  }
}

export function block(operation, sector, count) {
  return [operation, 0, sector >>> 24, sector >>> 16, sector >>> 8, sector, 0, count >>> 8, count, 0].map((byte) => byte & 0xff);
}

/** Patches OUT buffers: the emulator clears AVAILABLE when a buffer is armed, but the firmware polls it until the end. */
function patchOutBuffers(usb, mcu) {
  const updated = usb.DPRAMUpdated.bind(usb);
  usb.DPRAMUpdated = (offset, value) => {
    updated(offset, value);
    const isOut = offset >= 0x80 && offset <= 0xfc && offset & 4;
    if (isOut && value & AVAILABLE) {
      mcu.usbDPRAMView.setUint32(offset, mcu.usbDPRAMView.getUint32(offset, true) | AVAILABLE, true);
    }
  };
  const finish = usb.finishRead.bind(usb);
  usb.finishRead = (endpoint, bytes) => {
    const offset = OUT_CONTROL(endpoint);
    mcu.usbDPRAMView.setUint32(offset, mcu.usbDPRAMView.getUint32(offset, true) & ~AVAILABLE, true);
    finish(endpoint, bytes);
  };
}

function* descriptors(bytes) {
  for (let at = 0; at < bytes.length; at += bytes[at]) yield bytes.slice(at, at + bytes[at]);
}

/** Text of a string descriptor. */
function text(bytes) {
  return new TextDecoder('utf-16le').decode(bytes.slice(2));
}
