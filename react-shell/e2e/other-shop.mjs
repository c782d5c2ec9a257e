import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { required } from "./browser.mjs";

/**
 * A shop of the test's own, with settings of its own, on a free port and with data that are removed with it.
 *
 * @param {Record<string, string>} settings
 */
export async function openShop(settings) {
  const folder = await mkdtemp(join(tmpdir(), "nudgelight-e2e-"));
  const server = spawn(required("SHOP_SERVER"), [], {
    cwd: folder,
    env: {
      SHOP_ADDR: "127.0.0.1:0",
      SHOP_DATA_DIR: folder,
      SHOP_DEMO: "1",
      SHOP_DEMO_PASSWORD: required("SHOP_DEMO_PASSWORD"),
      ...settings,
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const url = await listeningOn(server.stdout);
  async function close() {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill();
    await ended;
    await rm(folder, { recursive: true });
  }
  return { url, mailFolder: join(folder, "mail"), close };
}

/** @param {import("node:stream").Readable} output */
async function listeningOn(output) {
  for await (const line of createInterface({ input: output })) {
    const [, url] = /^listening on (\S+)/.exec(line) ?? [];
    if (url !== undefined) {
      output.resume();
      return url;
    }
  }
  throw new Error("The shop did not start.");
}
