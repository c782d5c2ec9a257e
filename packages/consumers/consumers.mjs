// How each consumer is built and run. `USUAL` are cheap and differ from each other.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pageText } from "./browser.mjs";
import { openProject } from "./project.mjs";
import { serveWorker } from "./workerd.mjs";

export const USUAL = ["node-esm", "node-cjs", "jest", "esbuild", "workerd"];

/** @type {Record<string, () => Promise<string>>} Each returns a text with the results. */
export const CONSUMERS = {
  "node-esm": async () => (await openProject("node-esm")).run("node", "main.mjs"),
  "node-cjs": async () => (await openProject("node-cjs")).run("node", "main.cjs"),
  jest: async () => {
    const project = await openProject("jest", {
      jest: "30.5.2",
      "jest-environment-jsdom": "30.5.2",
      "@babel/preset-env": "7.29.14",
    });
    await project.tool("jest");
    return readFile(join(project.folder, "out.txt"), "utf8");
  },
  esbuild: async () => {
    const project = await openProject("esbuild", { esbuild: "0.28.2" });
    await project.tool("esbuild", "main.mjs", "--bundle", "--outfile=out.js");
    return project.run("node", "out.js");
  },
  rollup: async () => {
    const project = await openProject("rollup", { rollup: "4.68.7", "@rollup/plugin-node-resolve": "16.0.3" });
    await project.tool("rollup", "main.mjs", "--plugin", "node-resolve", "--file", "out.mjs");
    return project.run("node", "out.mjs");
  },
  webpack: async () => {
    const project = await openProject("webpack", { webpack: "5.112.2", "webpack-cli": "6.0.1" });
    await project.tool("webpack", "--mode", "production", "--entry", "./main.mjs", "--output-path", "./out");
    return project.run("node", "out/main.js");
  },
  vite: async () => {
    const project = await openProject("vite", { vite: "8.3.8" });
    await project.tool("vite", "build");
    return pageText(join(project.folder, "dist"));
  },
  "browser without a bundler": async () => pageText((await openProject("browser")).folder),
  workerd: async () => {
    const project = await openProject("workerd", { esbuild: "0.28.2", workerd: "1.20261117.1" });
    const bundle = ["--bundle", "--format=esm", "--conditions=workerd", "--loader:.wasm=copy", "--outdir=out"];
    await project.tool("esbuild", "worker.mjs", ...bundle, "--out-extension:.js=.mjs", "--asset-names=[name]");
    return serveWorker(project.folder);
  },
  deno: async () => {
    const project = await openProject("deno", { deno: "2.9.6" });
    return project.tool("deno", "run", "--no-remote", "--node-modules-dir=manual", "main.mjs");
  },
  bun: async () => (await openProject("bun", { bun: "1.4.5" })).tool("bun", "run", "main.mjs"),
  next: async () => {
    const project = await openProject("next", { next: "16.4.6", react: "19.3.1", "react-dom": "19.3.1" });
    await project.tool("next", "build");
    return readFile(join(project.folder, "out/index.html"), "utf8");
  },
  sveltekit: async () => {
    const kit = { "@sveltejs/kit": "2.70.4", "@sveltejs/adapter-static": "3.0.10" };
    const project = await openProject("sveltekit", {
      ...kit,
      "@sveltejs/vite-plugin-svelte": "6.2.4",
      svelte: "5.57.3",
      vite: "7.3.8",
    });
    await project.tool("vite", "build");
    return readFile(join(project.folder, "build/index.html"), "utf8");
  },
  astro: async () => {
    const project = await openProject("astro", { astro: "5.18.2" });
    await project.tool("astro", "build");
    return readFile(join(project.folder, "dist/index.html"), "utf8");
  },
  nuxt: async () => {
    const project = await openProject("nuxt", { nuxt: "4.4.2" });
    await project.tool("nuxt", "generate");
    return readFile(join(project.folder, ".output/public/index.html"), "utf8");
  },
};
