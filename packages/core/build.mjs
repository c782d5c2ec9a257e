// Makes `dist/` of the WASM packages in `wasm/`: each entry as ESM and CommonJS with the module inlined, as ESM that
// imports the module (workerd forbids compiling bytes), and its types. The code stays readable: bundlers minify it.
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { build } from "esbuild";
import { declarationsOf } from "./declarations.mjs";

const ENTRIES = ["index", "tax", "schedule"];
const here = (path) => new URL(path, import.meta.url);

await rm(here("dist"), { recursive: true, force: true });
await mkdir(here("dist"));
for (const entry of ENTRIES) await buildEntry(entry);

/** @param {string} entry */
async function buildEntry(entry) {
  const { types, functions } = declarationsOf(await readFile(here(`wasm/${entry}/${entry}.d.ts`), "utf8"));
  await cp(here(`wasm/${entry}/${entry}_bg.wasm`), here(`dist/${entry}.wasm`));
  await writeFile(here(`dist/${entry}.d.ts`), types);
  await writeFile(here(`dist/${entry}.d.cts`), types);
  const inlined = start(entry, functions, `import module from "./${entry}_bg.wasm";`);
  const imported = start(entry, functions, `import module from "./${entry}.wasm";`);
  await bundle(entry, inlined, { format: "esm", outfile: `${entry}.js` });
  await bundle(entry, inlined, { format: "cjs", outfile: `${entry}.cjs` });
  await bundle(entry, imported, { format: "esm", outfile: `${entry}.workerd.js`, external: ["*.wasm"] });
}

/** The source of an entry: it starts the module synchronously, and exports the functions of the rules alone. */
function start(entry, functions, importModule) {
  const names = functions.join(", ");
  return `${importModule}
import { initSync, ${names} } from "./${entry}.js";
initSync({ module });
export { ${names} };`;
}

async function bundle(entry, contents, { outfile, ...options }) {
  await build({
    stdin: { contents, resolveDir: new URL(`wasm/${entry}`, import.meta.url).pathname },
    outfile: here(`dist/${outfile}`).pathname,
    bundle: true,
    platform: "neutral",
    target: "es2022",
    legalComments: "none",
    inject: [here("text-codecs.js").pathname],
    loader: { ".wasm": "binary" },
    // wasm-bindgen's asynchronous start, which no entry calls.
    logOverride: { "empty-import-meta": "silent" },
    logLevel: "warning",
    ...options,
  });
}
