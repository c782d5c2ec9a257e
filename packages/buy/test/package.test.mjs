// The built element as a file.
import assert from "node:assert/strict";
import { test } from "node:test";
import { downloadSize } from "../../download-size.mjs";

const MAX_BYTES = 4_000;

test("the script stays below its size", async () => {
  const bytes = await downloadSize(new URL("../dist/buy.js", import.meta.url));
  assert.ok(bytes <= MAX_BYTES, `${bytes} bytes (minified, brotli), not ${MAX_BYTES}`);
});

test("a server that renders pages imports it, where there are no custom elements", async () => {
  assert.equal(typeof (await import("../dist/buy.js")).NudgelightBuy, "function");
});
