import { execFile, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const SERVER = process.env["SHOP_SERVER"] ?? fileURLToPath(new URL("../../target/debug/nudgelight", import.meta.url));

/** The password of both demo accounts. */
export const DEMO_PASSWORD = "a lamp for the browser tests";

/** @typedef {Awaited<ReturnType<typeof openShop>>} Shop */

/**
 * Starts a demo shop on a free port, with a temporary data folder.
 *
 * @param {Record<string, string>} [settings] environment variables besides the demo's
 * @param {string} [log] file for the server's output
 */
export async function openShop(settings = {}, log) {
  const folder = await mkdtemp(join(tmpdir(), "nudgelight-e2e-"));
  const server = spawn(SERVER, [], {
    cwd: folder,
    env: {
      SHOP_ADDR: "127.0.0.1:0",
      SHOP_DATA_DIR: folder,
      SHOP_DEMO: "1",
      SHOP_DEMO_PASSWORD: DEMO_PASSWORD,
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = log === undefined ? undefined : await logFile(log);
  server.stderr.on("data", (data) => output?.write(data));
  server.stdout.on("data", (data) => output?.write(data));
  const { url, mockStripe } = await addresses(server.stdout);
  async function close() {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill();
    await ended;
    output?.end();
    await rm(folder, { recursive: true });
  }
  return { url, mockStripe, mailFolder: join(folder, "mail"), close };
}

/**
 * Starts a demo shop with this many sample products besides the demo's four.
 *
 * @param {number} products
 */
export async function openLargeShop(products) {
  const folder = await mkdtemp(join(tmpdir(), "nudgelight-e2e-"));
  const shop = await openShop({ SHOP_DATA_DIR: folder });
  const env = { SHOP_DATA_DIR: folder, SHOP_DEMO: "1" };
  await promisify(execFile)(SERVER, ["seed", "--orders", "1", "--products", String(products)], { cwd: folder, env });
  async function close() {
    await shop.close();
    await rm(folder, { recursive: true });
  }
  return { ...shop, close };
}

/** @param {string} path */
async function logFile(path) {
  await mkdir(dirname(path), { recursive: true });
  return createWriteStream(path);
}

/**
 * The addresses that the server prints at its start. The mock Stripe comes first, and only if the shop has one.
 *
 * @param {import("node:stream").Readable} output
 */
async function addresses(output) {
  let mockStripe = { url: "", secretKey: "", publishableKey: "" };
  for await (const line of createInterface({ input: output })) {
    const [, base = "", secretKey = "", publishableKey = ""] =
      /^mock Stripe: (\S+) with (\S+) and (\S+)/.exec(line) ?? [];
    if (base !== "") mockStripe = { url: base, secretKey, publishableKey };
    const [, url] = /^listening on (\S+)/.exec(line) ?? [];
    if (url !== undefined) {
      output.resume();
      return { url, mockStripe };
    }
  }
  throw new Error("The server ended before it listened.");
}
