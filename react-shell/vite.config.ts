import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import type { Plugin, Rolldown } from "vite";
import { defineConfig } from "vitest/config";

const shop = process.env["SHOP_URL"] ?? "http://127.0.0.1:3000";

/**
 * Inlines the critical CSS and `early.js` into the page, which saves two round trips before the first paint. Replaces
 * the shell's tags with a list of its files, which `early.js` loads after the first paint.
 */
const inlineCritical: Plugin = {
  name: "inline-critical",
  enforce: "post",
  apply: "build",
  transformIndexHtml: {
    order: "pre",
    async handler(html, { path }) {
      if (path !== SHELL_PAGE) return html;
      const script = await readFile(join(import.meta.dirname, "early.js"), "utf8");
      return replace(html, EARLY_SCRIPT_TAG, `<script>${script.replaceAll(/^ *\/[/*].*\n/gm, "")}</script>`);
    },
  },
  generateBundle(_options, bundle) {
    const page = bundle["index.html"];
    const style = Object.values(bundle).find((file) => file.type === "asset" && file.names.includes(CRITICAL_CSS));
    if (page?.type !== "asset" || style?.type !== "asset")
      throw new Error(`the build has no index.html or no ${CRITICAL_CSS}`);
    const shell: ShellFiles = { script: "", style: "", modules: wasmFiles(bundle) };
    const html = String(page.source).replaceAll(SHELL_TAGS, (tag) => {
      const [, file = ""] = /(?:src|href)="([^"]+)"/.exec(tag) ?? [];
      if (file.endsWith(".css")) shell.style = file;
      else shell.modules.push(file);
      if (tag.includes("<script")) shell.script = file;
      return "";
    });
    if (!shell.script || !shell.style) throw new Error("index.html must have one script and one style sheet");
    const withStyle = replace(html, "</head>", `<style>${String(style.source)}</style></head>`);
    page.source = replace(withStyle, SHELL_PLACEHOLDER, JSON.stringify(shell));
    Reflect.deleteProperty(bundle, style.fileName);
  },
};

/** The page of the shell. `docs.html` is a document without it. */
const SHELL_PAGE = "/index.html";

/** The files of the shell. */
interface ShellFiles {
  script: string;
  style: string;
  /** Files to preload: scripts and WebAssembly. */
  modules: string[];
}

/** The expression in `early.js` that the file list replaces. */
const SHELL_PLACEHOLDER = 'Reflect.get(globalThis, "SHELL")';
const CRITICAL_CSS = "first-paint.css";
const SHELL_TAGS = /\s*(?:<script type="module"[^>]*><\/script>|<link rel="(?:modulepreload|stylesheet)"[^>]*>)/g;

/** The WASM packages of rules and views, which every page requires. */
function wasmFiles(bundle: Rolldown.OutputBundle): string[] {
  return Object.keys(bundle)
    .filter((file) => /\/(?:wasm_core|app)_bg-[^/]*\.wasm$/.test(file))
    .map((file) => `/${file}`);
}

const EARLY_SCRIPT_TAG = '<script src="/early.js"></script>';

function replace(html: string, search: string, replacement: string): string {
  if (!html.includes(search)) throw new Error(`index.html has no ${search}`);
  return html.replace(search, () => replacement);
}

/** Links the critical CSS in development, where the server does not render the page. */
const linkCritical: Plugin = {
  name: "link-critical",
  apply: "serve",
  transformIndexHtml: (html, { path }) =>
    path === SHELL_PAGE ? [{ tag: "link", attrs: { rel: "stylesheet", href: `/src/${CRITICAL_CSS}` } }] : html,
};

/** Writes the service worker, with the list of the files that its pages load. */
const serviceWorker: Plugin = {
  name: "service-worker",
  enforce: "post",
  apply: "build",
  async generateBundle(_options, bundle) {
    const script = await readFile(join(import.meta.dirname, "service-worker.js"), "utf8");
    const offline = { version: "OFFLINE_VERSION", files: offlineFiles(bundle) };
    const source = replace(script, 'Reflect.get(globalThis, "OFFLINE")', JSON.stringify(offline));
    this.emitFile({ type: "asset", fileName: "service-worker.js", source });
  },
};

/** What the pages that work without a network load: first the shell's script, which each of them names. */
function offlineFiles(bundle: Rolldown.OutputBundle): string[] {
  const files = new Set<string>();
  const add = (file: string) => {
    const chunk = bundle[file];
    if (chunk?.type !== "chunk" || files.has(file)) return;
    files.add(file);
    for (const imported of chunk.imports) add(imported);
  };
  for (const module of OFFLINE_MODULES) {
    const path = join(import.meta.dirname, "src", module);
    const chunk = Object.values(bundle).find((file) => file.type === "chunk" && file.moduleIds.includes(path));
    if (chunk === undefined) throw new Error(`the build has no ${module}`);
    add(chunk.fileName);
  }
  const assets = Object.keys(bundle).filter((file) => OFFLINE_ASSETS.test(file));
  if (assets.length !== 5) throw new Error(`the offline pages have other assets: ${assets.join(", ")}`);
  return [...files, ...assets].map((file) => `/${file}`);
}

/** The shell, and what the offline pages load later. */
const OFFLINE_MODULES = [
  "main.tsx",
  "features/recipes/recipes.route.tsx",
  "features/recipes/recipe.route.tsx",
  "shared/light/light-dialog.tsx",
  "generated/lab/lab.js",
];
const OFFLINE_ASSETS =
  /\/(?:shell-[^/]*\.css|(?:wasm_core|app|lab)_bg-[^/]*\.wasm|instrument-sans-latin-wght-normal-[^/]*\.woff2)$/;

/** Precompresses the build output at the highest level, so that the server never compresses per request. */
const precompress: Plugin = {
  name: "precompress",
  apply: "build",
  async writeBundle({ dir }, bundle) {
    const files = Object.keys(bundle).filter((file) => /^assets\/.*\.(js|css|wasm|txt)$/.test(file));
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

/** Bundles all modules that the shell starts with into one chunk, to avoid a waterfall of requests. */
function chunkName(id: string, modules: Modules) {
  const source = (file: string) => withImports(join(import.meta.dirname, "src", file), modules);
  return source("main.tsx").has(id) ? "shell" : null;
}

/** A module and its transitive static imports. */
function withImports(id: string, modules: Modules, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) withImports(imported, modules, found);
  return found;
}

export default defineConfig({
  base: "/",
  plugins: [react(), tailwindcss(), inlineCritical, linkCritical, serviceWorker, precompress],
  // No inlined assets: the content security policy does not allow data URLs.
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ["index.html", "docs.html", `src/${CRITICAL_CSS}`],
      output: {
        codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunkName, debugName: "shell" }] },
      },
    },
  },
  worker: { format: "es" },
  server: {
    strictPort: true,
    // The list of common passwords belongs to wasm-core.
    fs: { allow: [".", "../wasm-core/data"] },
    proxy: { "/api": shop, "/images": shop, "/test-stripe": shop },
  },
  test: {
    environment: "jsdom",
    setupFiles: ["src/test-setup.ts"],
    include: ["src/**/*.test.{ts,tsx}"],
    // By default one core is left to an editor.
    maxWorkers: "100%",
    testTimeout: 20_000,
    mockReset: true,
  },
});
