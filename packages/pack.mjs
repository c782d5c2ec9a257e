// Builds each package and packs it into `dist/` under a stable name, with an index of versions and checksums. The server
// embeds `dist/`. The same sources give the same bytes: npm sets one time for all files.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const here = import.meta.dirname;
const dist = join(here, "dist");
const { workspaces } = await json(join(here, "package.json"));
const cargo = await cargoPackage();

await rm(dist, { recursive: true, force: true });
await mkdir(dist);
const index = [];
for (const name of workspaces.filter((name) => existsSync(join(here, name, "package.json"))))
  index.push(await pack(name));
// A script that pages load without npm.
if (existsSync(join(here, "buy/dist/buy.js"))) await cp(join(here, "buy/dist/buy.js"), join(dist, "buy.js"));
await writeFile(join(dist, "index.json"), `${JSON.stringify(index, null, 2)}\n`);

/** Builds and packs a workspace: its entry of the index. */
async function pack(name) {
  npm(join(here, name), "run", "build");
  const staged = await mkdtemp(join(tmpdir(), `nudgelight-${name}-`));
  await cp(join(here, name, "dist"), staged, { recursive: true });
  for (const license of ["LICENSE-MIT", "LICENSE-APACHE"]) await cp(join(here, "..", license), join(staged, license));
  await cp(join(here, name, "README.md"), join(staged, "README.md"));
  const manifest = await manifestOf(name);
  await writeFile(join(staged, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  npm(staged, "pack", "--pack-destination", staged);
  const file = `${name}.tgz`;
  const packed = `${manifest.name.slice(1).replace("/", "-")}-${manifest.version}.tgz`;
  await rename(join(staged, packed), join(staged, file));
  await cp(join(staged, file), join(dist, file));
  await rm(staged, { recursive: true });
  return { name: manifest.name, version: manifest.version, file, integrity: await integrity(join(dist, file)) };
}

/** The published `package.json`: with the version and the repository of the Cargo workspace, without development. */
async function manifestOf(name) {
  const { scripts, devDependencies, ...manifest } = await json(join(here, name, "package.json"));
  const repository = { type: "git", url: `git+${cargo.repository}.git`, directory: `packages/${name}` };
  return { ...manifest, version: cargo.version, repository, publishConfig: { access: "public", provenance: true } };
}

async function cargoPackage() {
  const text = await readFile(join(here, "../Cargo.toml"), "utf8");
  const [, section = ""] = text.split("[workspace.package]");
  const value = (key) => new RegExp(`^${key} = "(.*)"$`, "m").exec(section)?.[1];
  return { version: value("version"), repository: value("repository") };
}

async function integrity(file) {
  return `sha512-${createHash("sha512")
    .update(await readFile(file))
    .digest("base64")}`;
}

async function json(file) {
  return JSON.parse(await readFile(file, "utf8"));
}

function npm(cwd, ...args) {
  execFileSync("npm", [...args, "--silent"], { cwd, stdio: "inherit" });
}
