// Installs the examples' tools, and the packages from their tarballs.
import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";

const here = import.meta.dirname;
// npm would take a package of the same version for installed.
for (const old of ["@nudgelight", ".package-lock.json"]) {
  await rm(join(here, "node_modules", old), { recursive: true, force: true });
}
// The lock file of a tool with a program for each platform needs the packages of all platforms.
const options = ["--no-save", "--no-package-lock", "--prefer-offline", "--no-audit", "--no-fund", "--silent"];
execFileSync("npm", ["install", ...options, "../dist/core.tgz", "../dist/client.tgz"], { cwd: here, stdio: "inherit" });
