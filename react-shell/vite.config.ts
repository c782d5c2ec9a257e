import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import type { Plugin, Rolldown } from "vite";
import { defineConfig } from "vitest/config";

const shop = process.env["SHOP_URL"] ?? "http://127.0.0.1:3000";

/**
 * What a page needs to be painted stands in it: its style, and the script that runs before. Each would be one more way
 * to the server and back, with nothing to be seen until then. That script then asks for the shell, whose tags are taken
 * out for it.
 */
const painted: Plugin = {
  name: "painted",
  enforce: "post",
  apply: "build",
  transformIndexHtml: {
    order: "pre",
    async handler(html) {
      const script = await readFile(join(import.meta.dirname, "early.js"), "utf8");
      return replaced(html, EARLY, `<script>${script.replaceAll(/^ *\/[/*].*\n/gm, "")}</script>`);
    },
  },
  generateBundle(_options, bundle) {
    const page = bundle["index.html"];
    const style = Object.values(bundle).find((file) => file.type === "asset" && file.names.includes(FIRST_STYLE));
    if (page?.type !== "asset" || style?.type !== "asset") throw new Error(`there is no page, or no ${FIRST_STYLE}`);
    const shell: Shell = { script: "", style: "", modules: modulesIn(bundle) };
    const html = String(page.source).replaceAll(SHELL_TAGS, (tag) => {
      const [, file = ""] = /(?:src|href)="([^"]+)"/.exec(tag) ?? [];
      if (file.endsWith(".css")) shell.style = file;
      else shell.modules.push(file);
      if (tag.includes("<script")) shell.script = file;
      return "";
    });
    if (!shell.script || !shell.style) throw new Error("index.html has not one script and one style");
    const withStyle = replaced(html, "</head>", `<style>${String(style.source)}</style></head>`);
    page.source = replaced(withStyle, SHELL, JSON.stringify(shell));
    Reflect.deleteProperty(bundle, style.fileName);
  },
};

/** What the shell's script needs to be asked for. */
interface Shell {
  script: string;
  style: string;
  /** All that is asked for at once: scripts and WebAssembly. */
  modules: string[];
}

/** Where early.js looks for them. */
const SHELL = 'Reflect.get(globalThis, "SHELL")';
const FIRST_STYLE = "first-paint.css";
const SHELL_TAGS = /\s*(?:<script type="module"[^>]*><\/script>|<link rel="(?:modulepreload|stylesheet)"[^>]*>)/g;

/** Rules and views: without them no page is shown. */
function modulesIn(bundle: Rolldown.OutputBundle): string[] {
  return Object.keys(bundle)
    .filter((file) => /\/(?:wasm_core|app)_bg-[^/]*\.wasm$/.test(file))
    .map((file) => `/${file}`);
}

const EARLY = '<script src="/early.js"></script>';

function replaced(html: string, part: string, by: string): string {
  if (!html.includes(part)) throw new Error(`index.html has no ${part}`);
  return html.replace(part, () => by);
}

/** While the shell is developed nothing is painted before it; then it brings the first style along. */
const paintedByShell: Plugin = {
  name: "painted-by-shell",
  apply: "serve",
  transformIndexHtml: () => [{ tag: "link", attrs: { rel: "stylesheet", href: `/src/${FIRST_STYLE}` } }],
};

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

type Modules = Pick<Rolldown.PluginContext, "getModuleInfo">;

/** All that the shell starts with is one file, because each file on its own is one more way to the server and back. */
function chunkOf(id: string, modules: Modules) {
  const source = (file: string) => withImports(join(import.meta.dirname, "src", file), modules);
  return source("main.tsx").has(id) ? "shell" : null;
}

/** A module and all that must be there before it runs. */
function withImports(id: string, modules: Modules, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) withImports(imported, modules, found);
  return found;
}

export default defineConfig({
  base: "/",
  plugins: [react(), tailwindcss(), painted, paintedByShell, compressed],
  // No other asset is inlined: the content security policy allows only files of our own.
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ["index.html", `src/${FIRST_STYLE}`],
      output: {
        codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunkOf, debugName: "shell" }] },
      },
    },
  },
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
