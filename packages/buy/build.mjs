// Builds dist/: an ES module, a CommonJS module, and the types of both. The code stays readable: bundlers minify it.
import { cp, rm } from "node:fs/promises";
import { build } from "esbuild";
import { emitTypes } from "../types.mjs";

const folder = new URL("./", import.meta.url);
const shared = {
  absWorkingDir: import.meta.dirname,
  entryPoints: ["src/index.ts"],
  bundle: true,
  target: "es2022",
};

await rm(new URL("dist/", folder), { recursive: true, force: true });
await build({ ...shared, format: "esm", outfile: "dist/buy.js" });
// A CommonJS module has no address of its own, so its elements need the attribute `shop`.
await build({ ...shared, format: "cjs", outfile: "dist/buy.cjs", define: { "import.meta.url": '"about:blank"' } });
await cp(new URL("frameworks/", folder), new URL("dist/", folder), { recursive: true });
await emitTypes(folder);
