// The comparison of the public surface with the list of it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";

const GONE = "./tax formerTax(state: string): Dollars";
const CARGO = join(import.meta.dirname, "../../Cargo.toml");
const KEPT = "./tax quoteFor(request: QuoteRequest): TableQuoteResult";
let folder;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "nudgelight-surface-"));
  await cp(import.meta.dirname, folder, { recursive: true });
  // As if the version of today were the released one.
  const [, version = ""] = /^version = "(.*)"$/m.exec(await readFile(CARGO, "utf8")) ?? [];
  await writeFile(join(folder, "released.txt"), `${version}\n`);
});

afterEach(() => rm(folder, { recursive: true }));

test("an unchanged surface passes", () => {
  assert.deepEqual(compare(), { status: 0, said: "" });
});

test("a line that is gone fails and is printed, even when the list is written", async () => {
  await change((text) => `${text}${GONE}\n`);
  for (const options of [[], ["--write"]]) {
    const { status, said } = compare(...options);
    assert.equal(status, 1);
    assert.match(said, /^Breaking changes since .*\ncore: \.\/tax formerTax\(state: string\): Dollars\n$/);
  }
  assert.ok((await readFile(join(folder, "core.txt"), "utf8")).includes(GONE));
});

test("a version that says so may break, and the list is written", async () => {
  await change((text) => `${text}${GONE}\n`);
  await writeFile(join(folder, "released.txt"), "0.0.9\n");
  assert.match(compare().said, /^The public surface has changed/);
  assert.equal(compare("--write").status, 0);
  assert.deepEqual(compare(), { status: 0, said: "" });
});

test("a new member that a request must have is printed like one that is gone", async () => {
  const [required, optional, ofResponse] = [
    "components.schemas.ProductInput.description: string",
    "components.schemas.ProductInput.active?: boolean",
    "components.schemas.Order.order_date: string",
  ];
  await change((text) => without(text, required), "api.txt");
  assert.match(
    compare("--write").said,
    /^Breaking changes since .*\napi: components\.schemas\.ProductInput\.description: string\n$/,
  );
  await change((text) => without(`${text}${required}\n`, optional, ofResponse), "api.txt");
  assert.match(compare().said, /^The public surface has changed/);
});

test("an addition fails only until the list is written", async () => {
  await change((text) => text.replace(`${KEPT}\n`, ""));
  assert.match(compare().said, /^The public surface has changed: run `cargo xtask gen`\n.*core\.txt\n$/);
  assert.equal(compare("--write").status, 0);
  assert.deepEqual(compare(), { status: 0, said: "" });
});

function compare(...options) {
  const program = join(import.meta.dirname, "../surface.mjs");
  const { status, stderr } = spawnSync(process.execPath, [program, ...options], {
    env: { ...process.env, SURFACE: folder },
    encoding: "utf8",
  });
  return { status, said: stderr };
}

function without(text, ...lines) {
  for (const line of lines) assert.ok(text.includes(`${line}\n`), line);
  return lines.reduce((rest, line) => rest.replace(`${line}\n`, ""), text);
}

async function change(edit, name = "core.txt") {
  const file = join(folder, name);
  await writeFile(file, edit(await readFile(file, "utf8")));
}
