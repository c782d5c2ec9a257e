import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const shop = process.env["SHOP_URL"] ?? "http://127.0.0.1:3000";

/** Compressed once, as small as it goes, so that the server has nothing to compress while somebody waits. */
const compressed: Plugin = {
  name: "compressed",
  apply: "build",
  async writeBundle({ dir }, bundle) {
    const files = Object.keys(bundle).filter((file) => /\.(js|css|wasm|txt)$/.test(file));
    await Promise.all(files.map((file) => compress(join(dir ?? "dist", file))));
  },
};

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  const brotli = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } });
  await writeFile(`${file}.br`, brotli);
  await writeFile(`${file}.gz`, gzipSync(content, { level: 9 }));
}

export default defineConfig({
  base: "/",
  plugins: [react(), tailwindcss(), compressed],
  // Nothing is inlined: the content security policy allows only files of our own.
  build: { target: "es2022", assetsInlineLimit: 0 },
  worker: { format: "es" },
  server: {
    strictPort: true,
    // The list of common passwords is the rules' own.
    fs: { allow: [".", "../wasm-core/data"] },
    proxy: { "/api": shop, "/images": shop, "/test-stripe": shop },
  },
  test: {
    environment: "jsdom",
    setupFiles: ["src/test-setup.ts"],
    include: ["src/**/*.test.{ts,tsx}"],
    testTimeout: 20_000,
    mockReset: true,
  },
});
