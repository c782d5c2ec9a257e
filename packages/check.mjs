// What npm and TypeScript require of a package: publint and "Are the types wrong?" without a finding, for each tarball.
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const dist = join(import.meta.dirname, "dist");
for (const { file } of JSON.parse(await readFile(join(dist, "index.json"), "utf8"))) {
  const tarball = join(dist, file);
  for (const [tool, ...args] of [
    ["publint", tarball, "--strict"],
    ["attw", tarball],
  ]) {
    const { status } = spawnSync(join(import.meta.dirname, "node_modules/.bin", tool), args, { stdio: "inherit" });
    if (status !== 0) process.exitCode = 1;
  }
}
