// Builds each package and packs it into `dist/` under a stable name, with its entries as ES modules for pages and Deno
// without npm, and an index of versions, checksums, and modules. The server embeds `dist/`. The same sources give the same
// bytes: npm sets one time for all files.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname;
const dist = join(here, "dist");
/** The modules of each package: the specifiers that npm resolves, and their files here and in the package. */
const MODULES = {
  core: {
    "@nudgelight/core": ["core.js", "index.js"],
    "@nudgelight/core/tax": ["tax.js", "tax.js"],
    "@nudgelight/core/schedule": ["schedule.js", "schedule.js"],
  },
  client: { "@nudgelight/client": ["client.js", "index.js"] },
  buy: { "@nudgelight/buy": ["buy.js", "buy.js"] },
};
const { workspaces } = await json(join(here, "package.json"));
const cargo = await cargoPackage();

await rm(dist, { recursive: true, force: true });
await mkdir(dist);
const index = [];
for (const name of workspaces.filter((name) => existsSync(join(here, name, "package.json"))))
  index.push(await pack(name));
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
  const [{ version }, checksum] = [manifest, await integrity(join(dist, file))];
  return { name: manifest.name, version, file, integrity: checksum, modules: await bundleModules(name) };
}

/** Writes a package's modules, minified and with their dependencies: their files by specifier. */
async function bundleModules(name) {
  const modules = Object.entries(MODULES[name]);
  for (const [, [file, entry]] of modules) {
    await build({
      entryPoints: [join(here, name, "dist", entry)],
      outfile: join(dist, file),
      bundle: true,
      minify: true,
      format: "esm",
      target: "es2022",
      logLevel: "warning",
    });
  }
  return Object.fromEntries(modules.map(([specifier, [file]]) => [specifier, file]));
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
