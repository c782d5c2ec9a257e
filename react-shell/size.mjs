// Compares the brotli size of the first load with size-budget.json, and fails above the budget.
import { readFileSync, readdirSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";

const assets = new URL("dist/assets/", import.meta.url);
const budget = JSON.parse(readFileSync(new URL("size-budget.json", import.meta.url), "utf8"));
const files = readdirSync(assets);

const named = (start, end) => files.filter((file) => file.startsWith(start) && file.endsWith(end));
const brotliSize = (file) => brotliCompressSync(readFileSync(new URL(file, assets))).length;

/** Adds a script with its transitive static imports. */
function withImports(file, loaded) {
  if (loaded.has(file)) return;
  loaded.add(file);
  const code = readFileSync(new URL(file, assets), "utf8");
  for (const [, other] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) withImports(other, loaded);
}

const html = readFileSync(new URL("dist/index.html", import.meta.url), "utf8");
const entry = [...html.matchAll(/"script":"\/assets\/([^"]+\.js)"/g)].map(([, file]) => file);
const home = named("home.route", ".js");
if (entry.length === 0 || home.length !== 1) throw new Error("dist must have an entry script and one home route");

const firstLoad = new Set();
for (const file of [...entry, ...home]) withImports(file, firstLoad);

/** In the folder above the assets, as the server sends it apart from its list of pages. */
const serviceWorker = "../service-worker.js";

const loads = {
  "wasm-core": named("wasm_core_bg", ".wasm"),
  estimates: named("estimates_bg", ".wasm"),
  app: named("app_bg", ".wasm"),
  "first-load JavaScript": [...firstLoad],
  "service worker": [serviceWorker],
  "API reference": [...named("docs-", ".js"), ...named("docs-", ".css")],
};

for (const [name, parts] of Object.entries(loads)) {
  if (parts.length === 0) throw new Error(`dist has no ${name}`);
  const bytes = parts.reduce((sum, file) => sum + brotliSize(file), 0);
  const limit = budget[name];
  process.stdout.write(
    `${name.padEnd(24)}${String(bytes).padStart(9)} of ${String(limit).padStart(7)} bytes (brotli)\n`,
  );
  // A missing budget fails, too.
  if (!(bytes <= limit)) process.exitCode = 1;
}
