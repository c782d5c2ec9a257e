// The built element as a file.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";

const MAX_BYTES = 4_000;

test("the script stays below its size", async () => {
  const { length } = brotliCompressSync(await readFile(new URL("../dist/buy.js", import.meta.url)));
  assert.ok(length <= MAX_BYTES, `${length} bytes (brotli), not ${MAX_BYTES}`);
});

test("a server that renders pages imports it, where there are no custom elements", async () => {
  assert.equal(typeof (await import("../dist/buy.js")).NudgelightBuy, "function");
});
