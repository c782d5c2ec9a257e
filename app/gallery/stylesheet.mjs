// Compiles both stylesheets, which scan the views for class names, into Trunk's staging folder.
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const shell = new URL("../../react-shell/", import.meta.url);
const require = createRequire(new URL("package.json", shell));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const [{ build }, { default: tailwindcss }] = await Promise.all([load("vite"), load("@tailwindcss/vite")]);

await build({
  configFile: false,
  logLevel: "warn",
  root: fileURLToPath(shell),
  publicDir: false,
  plugins: [tailwindcss()],
  build: {
    outDir: process.env.TRUNK_STAGING_DIR,
    emptyOutDir: false,
    rolldownOptions: {
      input: ["src/first-paint.css", "src/styles.css"].map((file) => fileURLToPath(new URL(file, shell))),
      output: { assetFileNames: "[name][extname]" },
    },
  },
});
