// The built client as a file: its size and its types.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { test } from "node:test";
import { promisify } from "node:util";
import { downloadSize } from "../../download-size.mjs";

const MAX_BYTES = 3_000;
const TSC = createRequire(import.meta.url).resolve("typescript/bin/tsc");

test("the client stays below its size", async () => {
  const bytes = await downloadSize(new URL("../dist/index.js", import.meta.url));
  assert.ok(bytes <= MAX_BYTES, `${bytes} bytes (minified, brotli), not ${MAX_BYTES}`);
});

test("the compiler accepts what the API has, and rejects anything else", async () => {
  await promisify(execFile)(process.execPath, [TSC, "--project", import.meta.dirname]);
});
