// WebKitGTK through WebDriver, on a virtual display.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { Builder } from "selenium-webdriver";
import { skipWithout } from "./installed.mjs";

// These modules have no types.
const load = createRequire(import.meta.url);
const { findFreePort } = load("selenium-webdriver/net/portprober");
const { DriverService } = load("selenium-webdriver/remote");

/** Opens WebKit, or skips the test. */
export async function openWebKit() {
  skipWithout("WebKitWebDriver", "Xvfb");
  const display = await openDisplay();
  const port = await findFreePort();
  const env = { ...process.env, DISPLAY: display.name };
  const service = new DriverService("WebKitWebDriver", { port, args: [`--port=${port}`], env, loopback: true });
  async function close() {
    await service.kill();
    display.close();
  }
  try {
    const driver = await new Builder()
      .usingServer(await service.start())
      .forBrowser("MiniBrowser")
      .build();
    await driver.manage().window().setRect({ x: 0, y: 0, width: 1280, height: 900 });
    return { driver, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Xvfb chooses a free display and writes its number to the fourth file. */
async function openDisplay() {
  const server = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x1000x24"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const output = /** @type {import("node:stream").Readable} */ (server.stdio[3]);
  const [number] = await once(output, "data");
  return { name: `:${String(number).trim()}`, close: () => server.kill() };
}
