// Bundles the Worker. Workers compile no WebAssembly at run time, so the module stays a file that config.capnp names.
import { build } from "esbuild";

await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ["worker.mjs"],
  outdir: "dist",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  format: "esm",
  target: "es2022",
  conditions: ["workerd"],
  loader: { ".wasm": "copy" },
  assetNames: "[name]",
});
