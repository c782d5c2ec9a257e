// The OpenAPI document in other developers' tools: a linter, and a generator of Python clients.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { openShop } from "../../react-shell/e2e/shop.mjs";

const here = import.meta.dirname;
const run = promisify(execFile);
/** These operations have no JSON, which the generator leaves out. */
const WITHOUT_JSON = [
  "GET /feeds/google.xml",
  "GET /images/photos/{file}",
  "GET /images/{file}",
  "GET /sitemap.xml",
  "POST /api/admin/tracking-import/preview",
  "POST /api/products/{id}/photos",
];

/** @type {import("../../react-shell/e2e/shop.mjs").Shop} */
let shop;
let folder;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "nudgelight-openapi-"));
  shop = await openShop();
});
after(() => Promise.all([shop.close(), rm(folder, { recursive: true })]));

test("Redocly's recommended rules find no error", async () => {
  const document = join(folder, "openapi.json");
  await writeFile(document, await (await fetch(`${shop.url}/openapi.json`)).text());
  const redocly = join(here, "node_modules/@redocly/cli/bin/cli.js");
  const args = [redocly, "lint", "--extends=recommended", "--format=json", document];
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, REDOCLY_TELEMETRY: "off" } });
  assert.equal(JSON.parse(stdout).totals.errors, 0, stdout);
});

test("openapi-python-client generates a client, with which the script in python/ lists the products", async () => {
  const bin = await installedIn(join(here, "python/.venv"));
  const output = join(folder, "nudgelight_client");
  const source = ["--url", `${shop.url}/openapi.json`, "--output-path", output, "--meta", "none"];
  const { stderr: warnings } = await run(join(bin, "openapi-python-client"), ["generate", ...source]);
  const left = [...warnings.matchAll(/WARNING parsing (\S+ \S+) within/g)].map(([, operation]) => operation);
  assert.deepEqual(left.sort(), WITHOUT_JSON);
  const env = { ...process.env, PYTHONPATH: folder };
  const { stdout } = await run(join(bin, "python"), [join(here, "python/products.py"), shop.url], { env });
  assert.match(stdout, /^Nudgelight One: \$24\.99, \d+ available$/m);
});

/** Installs python/requirements.txt into a virtual environment, once: the folder of its programs. */
async function installedIn(venv) {
  const bin = join(venv, process.platform === "win32" ? "Scripts" : "bin");
  const requirements = await readFile(join(here, "python/requirements.txt"), "utf8");
  const stamp = join(venv, "requirements.txt");
  if ((await readFile(stamp, "utf8").catch(() => "")) === requirements) return bin;
  await run("python3", ["-m", "venv", "--clear", venv]);
  await run(join(bin, "python"), ["-m", "pip", "install", "--quiet", "-r", join(here, "python/requirements.txt")]);
  await writeFile(stamp, requirements);
  return bin;
}
