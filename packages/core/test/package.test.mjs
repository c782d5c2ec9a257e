// The package as npm installs it: its types, the README's first example, and what a page may rely on.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openProject } from "../../consumers/project.mjs";
import { downloadSize } from "../../download-size.mjs";

const TSC = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
const STRICT = [
  "--strict",
  "--exactOptionalPropertyTypes",
  "--noUncheckedIndexedAccess",
  "--target",
  "es2022",
  "--noEmit",
];
// Without the types of browsers and Node.js.
const LIBRARY = ["--lib", "es2022"];
let project;

before(async () => {
  project = await openProject("node-esm");
  for (const file of ["types.ts", "types.cts"])
    await cp(new URL("types.ts", import.meta.url), join(project.folder, file));
});

for (const [module, resolution, file] of [
  ["nodenext", "nodenext", "types.ts"],
  ["nodenext", "nodenext", "types.cts"],
  ["esnext", "bundler", "types.ts"],
]) {
  test(`a program is type-checked with its mistakes found: ${file}, resolved as by ${resolution}`, async () => {
    const options = ["--module", module, "--moduleResolution", resolution];
    await promisify(execFile)(process.execPath, [TSC, ...STRICT, ...LIBRARY, ...options, file], {
      cwd: project.folder,
    }).catch(({ stdout }) => assert.fail(stdout));
  });
}

test("the first example of the README prints what it says", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const [, example = ""] = /```js\n(.*?)```/s.exec(readme) ?? [];
  await writeFile(join(project.folder, "quote.mjs"), example);
  const said = [...example.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => `${text}\n`).join("");
  assert.notEqual(said, "");
  assert.equal(await project.run("node", "quote.mjs"), said);
});

test("the README has the sizes of the entries", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  for (const [entry, name] of [
    ["index", ""],
    ["tax", "/tax"],
    ["schedule", "/schedule"],
  ]) {
    const bytes = await downloadSize(new URL(`../dist/${entry}.js`, import.meta.url));
    const row = new RegExp(`\`@nudgelight/core${name}\` \\|.*\\| (\\d+) KB`).exec(readme);
    const documented = Number(row?.[1]) * 1000;
    assert.ok(bytes <= documented && bytes > documented * 0.95, `${entry}: ${bytes} bytes`);
  }
});
