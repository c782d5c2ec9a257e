// A page in Chromium, from a folder of files.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { promisify } from "node:util";

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".json": "application/json",
};
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** The document of `index.html` after its scripts have run. */
export async function pageText(folder) {
  const server = createServer(async ({ url = "/" }, response) => {
    const path = join(folder, normalize(new URL(url, "http://page").pathname), url.endsWith("/") ? "index.html" : "");
    if (!path.startsWith(folder) || !existsSync(path)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
    return response.end(await readFile(path));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--dump-dom"];
  const options = { maxBuffer: 64 * 1024 * 1024 };
  const page = promisify(execFile)(CHROMIUM, [...flags, `http://127.0.0.1:${port}/`], options);
  return page.then(({ stdout }) => stdout).finally(() => server.close());
}
