// What a visitor's browser loads before a page runs, compressed as the server sends it, against size-budget.json.
// Fails above the budget: what it costs everybody to add something is then a decision, and not an accident.
import { readFileSync, readdirSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";

const assets = new URL("dist/assets/", import.meta.url);
const budget = JSON.parse(readFileSync(new URL("size-budget.json", import.meta.url), "utf8"));
const files = readdirSync(assets);

const named = (start, end) => files.filter((file) => file.startsWith(start) && file.endsWith(end));
const weight = (file) => brotliCompressSync(readFileSync(new URL(file, assets))).length;

/** Adds a script with all that it imports before it runs. */
function withImports(file, loaded) {
  if (loaded.has(file)) return;
  loaded.add(file);
  const code = readFileSync(new URL(file, assets), "utf8");
  for (const [, other] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) withImports(other, loaded);
}

const html = readFileSync(new URL("dist/index.html", import.meta.url), "utf8");
const entry = [...html.matchAll(/"script":"\/assets\/([^"]+\.js)"/g)].map(([, file]) => file);
const home = named("home.route", ".js");
if (entry.length === 0 || home.length !== 1) throw new Error("dist has no entry, or not one page called home");

const firstLoad = new Set();
for (const file of [...entry, ...home]) withImports(file, firstLoad);

const loads = {
  "wasm-core": named("wasm_core_bg", ".wasm"),
  app: named("app_bg", ".wasm"),
  "first-load JavaScript": [...firstLoad],
};

for (const [name, parts] of Object.entries(loads)) {
  if (parts.length === 0) throw new Error(`dist has no ${name}`);
  const bytes = parts.reduce((sum, file) => sum + weight(file), 0);
  const most = budget[name];
  process.stdout.write(
    `${name.padEnd(24)}${String(bytes).padStart(9)} of ${String(most).padStart(7)} bytes (brotli)\n`,
  );
  // An unknown budget is a failure too.
  if (!(bytes <= most)) process.exitCode = 1;
}
