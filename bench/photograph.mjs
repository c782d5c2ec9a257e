/** A picture with the detail of a photograph, which no drawing has: soft light, an object, and grain. */
import { png } from "../react-shell/e2e/png.mjs";

const WIDTH = 1600;
const HEIGHT = 1200;

/** Pseudorandom numbers from 0 to 1, the same for each seed. @param {number} seed */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Values from -1 to 1 that change smoothly over `size` pixels. @param {() => number} random @param {number} size */
function texture(random, size) {
  const columns = Math.ceil(WIDTH / size) + 2;
  const points = Array.from({ length: columns * (Math.ceil(HEIGHT / size) + 2) }, () => random() * 2 - 1);
  return (/** @type {number} */ x, /** @type {number} */ y) => {
    const [column, row] = [Math.floor(x / size), Math.floor(y / size)];
    const [right, down] = [x / size - column, y / size - row];
    const at = (/** @type {number} */ c, /** @type {number} */ r) => points[(row + r) * columns + column + c] ?? 0;
    return (at(0, 0) * (1 - right) + at(1, 0) * right) * (1 - down) + (at(0, 1) * (1 - right) + at(1, 1) * right) * down;
  };
}

/** @param {number} seed @param {[number, number, number]} color @returns {Buffer} a PNG */
export function photograph(seed, color) {
  const random = randomNumbers(seed);
  const [cloth, weave, relief] = [texture(random, 160), texture(random, 12), texture(random, 5)];
  const pixels = Buffer.alloc(HEIGHT * (WIDTH * 3 + 1));
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const isObject = Math.hypot((x - WIDTH / 2) / 1.6, y - HEIGHT / 2) < HEIGHT / 4;
      const light = 1 - Math.hypot(x - WIDTH / 3, y - HEIGHT / 4) / (2 * WIDTH);
      const detail = isObject ? 5 * cloth(x, y) : 24 * cloth(x, y) + 14 * weave(x, y) + 8 * relief(x, y);
      for (let channel = 0; channel < 3; channel += 1) {
        const surface = isObject ? (color[channel] ?? 0) : 170;
        const value = surface * light + detail + 6 * (random() - 0.5);
        pixels[y * (WIDTH * 3 + 1) + 1 + x * 3 + channel] = Math.max(0, Math.min(255, Math.round(value)));
      }
    }
  }
  return png(WIDTH, HEIGHT, pixels);
}
