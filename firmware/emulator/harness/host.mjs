// A computer at the other end of the USB cable: it enumerates the chip and speaks SCSI with its drive.

const AVAILABLE = 1 << 10;
const OUT_CONTROL = (endpoint) => 0x84 + endpoint * 8;

export class Host {
  constructor(chip) {
    this.chip = chip;
    this.usb = chip.mcu.usbCtrl;
    this.received = new Map();
    this.armed = new Map();
    this.tag = 0;
    keepBuffersUntilFilled(this.usb, chip.mcu);
    this.usb.onUSBEnabled = () => this.usb.resetDevice();
    this.usb.onResetReceived = () => (this.wasReset = true);
    this.usb.onEndpointWrite = (endpoint, bytes) => this.#queue(endpoint).push(bytes);
    this.usb.onEndpointRead = (endpoint, length) => this.armed.set(endpoint, length);
  }

  #queue(endpoint) {
    if (!this.received.has(endpoint)) this.received.set(endpoint, []);
    return this.received.get(endpoint);
  }

  /** As a computer does when the plug goes in; tells what it found. */
  enumerate() {
    this.#must(() => this.wasReset, 'the device answers the reset of the bus');
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

  /** A request on the control endpoint, with its status. */
  #control(setup) {
    this.#queue(0).length = 0;
    this.armed.delete(0);
    this.usb.sendSetupPacket(Uint8Array.from(setup));
    const wanted = setup[6] | (setup[7] << 8);
    if (!(setup[0] & 0x80)) {
      this.#must(() => this.#queue(0).length > 0, 'the device acknowledges a request');
      return new Uint8Array();
    }
    let answer = [];
    for (;;) {
      this.#must(() => this.#queue(0).length > 0, 'the device answers a request');
      const packet = this.#queue(0).shift();
      answer = answer.concat([...packet]);
      if (packet.length < 64 || answer.length >= wanted) break;
    }
    this.#must(() => this.armed.has(0), 'the device waits for the status');
    this.#fill(0, new Uint8Array());
    this.chip.run(1);
    return Uint8Array.from(answer);
  }

  #fill(endpoint, bytes) {
    this.armed.delete(endpoint);
    this.usb.endpointReadDone(endpoint, bytes);
  }

  #send(bytes) {
    for (let at = 0; at < bytes.length; at += 64) {
      this.#must(() => this.armed.has(this.out), 'the device takes a packet');
      this.#fill(this.out, bytes.slice(at, at + 64));
    }
  }

  #receive() {
    this.#must(() => this.#queue(this.in).length > 0, 'the device sends a packet');
    return this.#queue(this.in).shift();
  }

  #must(condition, what) {
    if (!this.chip.run(5000, condition)) throw new Error(`within 5 s, ${what}`);
  }

  /** A SCSI command; `data` goes out, or `length` bytes come in. */
  command(block, { data, length = 0 } = {}) {
    const wrapper = new Uint8Array(31);
    const view = new DataView(wrapper.buffer);
    this.tag += 1;
    wrapper.set([0x55, 0x53, 0x42, 0x43]);
    view.setUint32(4, this.tag, true);
    view.setUint32(8, data ? data.length : length, true);
    wrapper[12] = data ? 0 : 0x80;
    wrapper[14] = block.length;
    wrapper.set(block, 15);
    this.#send(wrapper);
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
    const parts = [];
    for (let at = 0; at < count; at += 128) {
      const some = Math.min(128, count - at);
      const { status, data } = this.command(block(0x28, sector + at, some), { length: some * 512 });
      if (status !== 0) throw new Error(`READ(10) at ${sector + at} has status ${status}`);
      parts.push(data);
    }
    return Buffer.concat(parts);
  }

  write(sector, data) {
    const { status } = this.command(block(0x2a, sector, data.length / 512), { data });
    if (status !== 0) throw new Error(`WRITE(10) at ${sector} has status ${status}`);
  }

  /** Writes what differs between two contents of the drive. */
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

/** The emulator takes a buffer from the chip when it is armed; the chip has to see it as armed until it is filled. */
function keepBuffersUntilFilled(usb, mcu) {
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

/** A string descriptor's text. */
function text(bytes) {
  return new TextDecoder('utf-16le').decode(bytes.slice(2));
}
