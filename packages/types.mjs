import { execFileSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";

const TSC = createRequire(import.meta.url).resolve("typescript/bin/tsc");

/**
 * Writes the types of a package's sources to `dist/`, for ES modules and for CommonJS.
 *
 * @param {URL} folder the package's
 */
export async function emitTypes(folder) {
  execFileSync(process.execPath, [TSC, "--project", "tsconfig.json"], { cwd: folder, stdio: "inherit" });
  const dist = new URL("dist/", folder);
  for (const name of await readdir(dist)) {
    if (!name.endsWith(".d.ts")) continue;
    const types = await readFile(new URL(name, dist), "utf8");
    await writeFile(
      new URL(name.replace(".d.ts", ".d.cts"), dist),
      types.replaceAll(/"(\.\/[\w-]+)\.js"/g, '"$1.cjs"'),
    );
  }
}
