// Installs the examples' dependencies, if the lock file has changed, and then the packages from their tarballs.
import { execFileSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const here = import.meta.dirname;
const modules = join(here, "node_modules");
const stamp = join(modules, ".stamp");

const lock = await readFile(join(here, "package-lock.json"), "utf8");
if ((await readFile(stamp, "utf8").catch(() => "")) !== lock) {
  npm("ci");
  await writeFile(stamp, lock);
}
// npm would take a package of the same version for installed.
for (const old of ["@nudgelight", ".package-lock.json"]) await rm(join(modules, old), { recursive: true, force: true });
npm("install", "--no-save", "--prefer-offline", "../dist/core.tgz", "../dist/client.tgz");

function npm(...args) {
  execFileSync("npm", [...args, "--silent", "--no-audit", "--no-fund"], { cwd: here, stdio: "inherit" });
}
