// The download of a module in a consumer's bundle: minified and compressed.
import { readFile } from "node:fs/promises";
import { brotliCompressSync } from "node:zlib";
import { transform } from "esbuild";

/**
 * The bytes of an ES module after esbuild's minifier and brotli.
 *
 * @param {URL} file
 */
export async function downloadSize(file) {
  const { code } = await transform(await readFile(file, "utf8"), { minify: true, format: "esm", target: "es2022" });
  return brotliCompressSync(code).length;
}
