// Builds dist/: an ES module, a CommonJS module, and the types of both. The code stays readable: bundlers minify it.
import { copyFile, rm, writeFile } from "node:fs/promises";
import { build } from "esbuild";
import { emitTypes } from "../types.mjs";

const folder = new URL("./", import.meta.url);
const shared = {
  absWorkingDir: import.meta.dirname,
  entryPoints: ["src/index.ts"],
  bundle: true,
  external: ["openapi-fetch"],
  target: "es2022",
};

await rm(new URL("dist/", folder), { recursive: true, force: true });
await build({ ...shared, format: "esm", outfile: "dist/index.js" });
await build({ ...shared, format: "cjs", platform: "node", outfile: "dist/index.cjs" });
await emitTypes(folder);
// One copy of the document's types is enough for both kinds of modules.
await copyFile(new URL("../../react-shell/src/generated/openapi.d.ts", folder), new URL("dist/openapi.d.cts", folder));
await writeFile(new URL("dist/openapi.d.ts", folder), 'export type * from "./openapi.cjs";\n');
