// A consumer's project: its files, and a package as npm installs it from the tarball.
import { execFile } from "node:child_process";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { allCases } from "./cases.mjs";

const here = import.meta.dirname;
const FOLDER = process.env["PROJECTS"] ?? join(tmpdir(), "nudgelight-projects");
const SHARED = ["answers.mjs", "answered.mjs"];

/**
 * Installs a consumer of the rules, with the cases.
 *
 * @param {string} name its folder in `projects/`
 * @param {Record<string, string>} [tools] npm packages with their versions
 */
export async function openProject(name, tools = {}) {
  const project = await installProject(name, "core", tools);
  const { folder } = project;
  for (const file of SHARED) await cp(join(here, file), join(folder, file));
  const cases = JSON.stringify(allCases().map(({ entry, name, input }) => ({ entry, name, input })));
  await writeFile(join(folder, "cases.mjs"), `export default ${cases};\n`);
  await writeFile(join(folder, "cases.json"), cases);
  return project;
}

/**
 * Installs a consumer of one package, whose tools stay installed for the next time.
 *
 * @param {string} name its folder in `projects/`
 * @param {string} installed the package, by its folder
 * @param {Record<string, string>} tools npm packages with their versions
 */
export async function installProject(name, installed, tools) {
  const folder = join(FOLDER, name);
  await mkdir(folder, { recursive: true });
  await cp(join(here, "projects", name), folder, { recursive: true });
  await install(folder, installed, tools);
  return {
    folder,
    /** Runs a program of the project, and returns what it printed. */
    run: (program, ...args) => run(folder, program, args),
    tool: (tool, ...args) => run(folder, join(folder, "node_modules/.bin", tool), args),
  };
}

async function install(folder, installed, tools) {
  const tarball = `${installed}.tgz`;
  await cp(join(here, "../dist", tarball), join(folder, tarball));
  const dependencies = { [`@nudgelight/${installed}`]: `file:${tarball}`, ...tools };
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ name: "consumer", private: true, type: "module", dependencies }),
  );
  // npm would take a package of the same version for installed.
  for (const old of ["@nudgelight", ".package-lock.json"]) {
    await rm(join(folder, "node_modules", old), { recursive: true, force: true });
  }
  await run(folder, "npm", ["install", "--no-package-lock", "--no-audit", "--no-fund", "--prefer-offline"]);
}

async function run(cwd, program, args) {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  const quiet = { NEXT_TELEMETRY_DISABLED: "1", ASTRO_TELEMETRY_DISABLED: "1", NUXT_TELEMETRY_DISABLED: "1" };
  const options = { cwd, env: { ...env, ...quiet }, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(program, args, options);
  return stdout;
}

/** The results in a page or in printed text. */
export function resultsIn(text) {
  const [, encoded] = /answers:(.*?):end/s.exec(text) ?? [];
  if (encoded === undefined) throw new Error(`no answers in: ${text.slice(0, 400)}`);
  return JSON.parse(decodeURIComponent(encoded));
}
