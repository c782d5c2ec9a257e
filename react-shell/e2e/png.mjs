// PNG files of 24-bit pixels.
import { crc32, deflateSync } from "node:zlib";

/**
 * A PNG. Each row of `pixels` starts with a zero, the filter "none".
 *
 * @param {number} width @param {number} height @param {Buffer} pixels
 */
export function png(width, height, pixels) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [chunk("IHDR", header), chunk("IDAT", deflateSync(pixels)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([signature, ...chunks]);
}

/** @param {string} kind @param {Buffer} data */
function chunk(kind, data) {
  const named = Buffer.concat([Buffer.from(kind), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
