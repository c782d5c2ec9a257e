// Packages of `wasm-pack build wasm-core --target bundler | web | nodejs`, each installed and used in an empty project.
// `PACKAGES` is the folder of all three; `cargo xtask test --only packages` builds them.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompressSync } from "node:zlib";
import webpack from "webpack";
import { complaint, exampleCalls, wrongCalls } from "../wrong-types.mjs";

const PACKAGES = resolve(process.env["PACKAGES"] ?? "pkg");
const TSC = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
const run = promisify(execFile);
const projects = [];

const EXPECTED = {
  tooMany: { ok: false, error: "Enter the quantity as a whole number, like 2." },
  quote: { ok: true, quote: { subtotal: 49.98, shipping: 14.45, tax: 0, total: 64.43 } },
  toCalifornia: { ok: true, quote: { subtotal: 49.98, shipping: 6.2, tax: 3.62, total: 59.8 } },
  taxes: ["Sales tax (7.25%) $3.62"],
  email: { ok: false, error: "Enter an email address like name@example.com." },
  rules: 1,
  mistakes: ["2: daily"],
  light: { action: "blink", litMs: 1000, darkMs: 1000, brightness: 100 },
  next: "2026-11-27T09:00:10-05:00",
};

/** Project with the package and the integrator's program, type-checked. */
async function projectWith(target) {
  const project = await mkdtemp(join(tmpdir(), `nudgelight-${target}-`));
  projects.push(project);
  await mkdir(join(project, "node_modules"));
  await cp(join(PACKAGES, target), join(project, "node_modules/wasm-core"), { recursive: true });
  await cp(new URL("buyer.mts", import.meta.url), join(project, "buyer.mts"));
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "buyer", private: true, type: "module" }));
  const settings = ["--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom,esnext.disposable"];
  await run(process.execPath, [TSC, ...settings, "buyer.mts"], { cwd: project });
  return project;
}

const buyer = async (project) => import(pathToFileURL(join(project, "buyer.mjs")).href);

after(() => Promise.all(projects.map((project) => rm(project, { recursive: true }))));

test("the package for Node.js is required and used", async () => {
  const project = await projectWith("nodejs");
  const core = createRequire(join(project, "buyer.mjs"))("wasm-core");
  assert.deepEqual((await buyer(project)).buys(core), EXPECTED);
});

test("the package for the web is started with its module's bytes", async () => {
  const project = await projectWith("web");
  const folder = pathToFileURL(join(project, "node_modules/wasm-core/"));
  const core = await import(new URL("wasm_core.js", folder).href);
  await core.default({ module_or_path: await readFile(new URL("wasm_core_bg.wasm", folder)) });
  assert.deepEqual((await buyer(project)).buys(core), EXPECTED);
});

test("the package for bundlers is bundled", async () => {
  const project = await projectWith("bundler");
  await writeFile(
    join(project, "main.mjs"),
    'import * as core from "wasm-core"; import { buys } from "./buyer.mjs"; export const bought = buys(core);',
  );
  const stats = await promisify(webpack)({
    mode: "production",
    target: "node20",
    context: project,
    entry: "./main.mjs",
    experiments: { asyncWebAssembly: true, outputModule: true },
    output: { path: join(project, "dist"), filename: "main.mjs", library: { type: "module" } },
  });
  assert.equal(stats.hasErrors(), false, stats.toString("errors-only"));
  const { bought } = await import(pathToFileURL(join(project, "dist/main.mjs")).href);
  assert.deepEqual(bought, EXPECTED);
});

test("a value of the wrong type is a TypeError that names the argument, in every exported function", async () => {
  const core = createRequire(import.meta.url)(join(PACKAGES, "nodejs/wasm_core.js"));
  const types = await readFile(join(PACKAGES, "nodejs/wasm_core.d.ts"), "utf8");
  const [text, time] = ["on daily", "2026-11-27T09:00:05"];
  const schedule = {
    parseSchedule: [text],
    lightAt: [text, time],
    decidingLine: [text, time],
    nextChange: [text, time],
    changesBetween: [text, time, time],
  };
  const examples = { ...exampleCalls(), ...schedule };
  const wrong = wrongCalls(types, examples);
  assert.ok(wrong.length > 500, `${wrong.length} calls`);
  assert.deepEqual(
    wrong.map((call) => complaint(core, call)).filter((said) => said !== undefined),
    [],
  );
  for (const [name, input] of Object.entries(examples)) core[name](...input);
});

test("the package is as small as the guide says", async () => {
  const guide = await readFile(new URL("../../../docs/guide/integrate.md", import.meta.url), "utf8");
  const [, documented] = /With the schedule the module is (\d+) KB \(brotli\)/.exec(guide) ?? [];
  for (const target of ["bundler", "web", "nodejs"]) {
    const { length } = brotliCompressSync(await readFile(join(PACKAGES, target, "wasm_core_bg.wasm")));
    assert.ok(length <= Number(documented) * 1000, `${target}: ${length} bytes, ${documented} KB in the guide`);
  }
});

test("amounts are called Dollars and weights Pounds, and nothing is called after hundredths", async () => {
  const types = await readFile(join(PACKAGES, "nodejs/wasm_core.d.ts"), "utf8");
  assert.match(types, /\*\/\nexport type Dollars = number;/);
  assert.match(types, /\*\/\nexport type Pounds = number;/);
  assert.match(types, /quote\(lines: PricedLine\[\], country: Country, tax: Dollars, /);
  assert.doesNotMatch(types, /(?:: |type |= |\()(?:Cents|Weight)\b/);
});

test("the types are described for readers of TypeScript", async () => {
  const types = await readFile(join(PACKAGES, "nodejs/wasm_core.d.ts"), "utf8");
  const lines = types.split("\n").filter((line) => /^\s*(\/\*)?\*/.test(line));
  assert.ok(lines.length > 100);
  // Examples of Rust code, and links that only rustdoc can follow.
  assert.deepEqual(lines.filter((line) => /```|\[`|\]\(|\w::\w/.test(line)), []);
});
