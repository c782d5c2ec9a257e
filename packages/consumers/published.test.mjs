// The JavaScript of the packages, as developers read it in their debugger.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";

/** A function in each package that no entry exports. A minifier would rename it. */
const INTERNAL = { core: "__wbg_get_imports", client: "sendWithToken", buy: "quantityError" };
/** Without the module's bytes, which are one line. */
const BYTES = /"[A-Za-z0-9+/=]{1000,}"/;

for (const [name, internal] of Object.entries(INTERNAL)) {
  test(`${name}: the published code keeps its names and line breaks`, async () => {
    const dist = new URL(`../${name}/dist/`, import.meta.url);
    const scripts = (await readdir(dist)).filter((file) => /\.c?js$/.test(file));
    assert.ok(scripts.length >= 2);
    for (const script of scripts) {
      const code = (await readFile(new URL(script, dist), "utf8")).replace(BYTES, "");
      assert.match(code, new RegExp(`^(async )?function ${internal}\\(`, "m"), script);
      const longest = Math.max(...code.split("\n").map((line) => line.length));
      assert.ok(longest <= 250, `${script}: a line of ${longest} characters`);
    }
  });
}
