// The public surface as text: one line for each entry, function, member and variant of the packages, and of the API's
// operations and schemas. `surface/` has it in the repository. A line that is gone breaks other people's programs, and
// needs a version that says so; a new line only has to be written: `node surface.mjs --write`.
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";

const here = import.meta.dirname;
const SURFACE = process.env["SURFACE"] ?? join(here, "surface");
const API = join(here, "../react-shell/src/generated/openapi.d.ts");
const printer = ts.createPrinter({ removeComments: true });

const isWriting = process.argv.includes("--write");
const { workspaces } = JSON.parse(await read("package.json"));
const surfaces = { api: declaredIn(await readFile(API, "utf8")) };
for (const name of workspaces)
  if (existsSync(join(here, name, "package.json"))) surfaces[name] = await packageSurface(name);

const broken = [];
const stale = [];
for (const [name, lines] of Object.entries(surfaces)) {
  const file = join(SURFACE, `${name}.txt`);
  const text = lines.map((line) => `${line}\n`).join("");
  const before = existsSync(file) ? await readFile(file, "utf8") : "";
  const gone = before.split("\n").filter((line) => line !== "" && !lines.includes(line));
  broken.push(...gone.map((line) => `${name}: ${line}`));
  if (text !== before) stale.push({ file, text });
}

const released = (await readFile(join(SURFACE, "released.txt"), "utf8")).trim();
const [, version = ""] = /^version = "(.*)"$/m.exec(await read("../Cargo.toml")) ?? [];
if (broken.length > 0 && !isRaised(released, version)) {
  fail([`Breaking changes since ${released}; version ${version} in Cargo.toml does not say so:`, ...broken]);
} else if (isWriting) {
  for (const { file, text } of stale) await writeFile(file, text);
} else if (stale.length > 0) {
  fail(["The public surface has changed: run `cargo xtask gen`", ...stale.map(({ file }) => file)]);
}

function fail(lines) {
  console.error(lines.join("\n"));
  process.exitCode = 1;
}

/** Whether a version may break programs that use another one: before 1.0 by its minor number, later by its major one. */
function isRaised(from, to) {
  const [[major, minor], [newMajor, newMinor]] = [from, to].map((text) => text.split(".").map(Number));
  return newMajor > major || (major === 0 && newMajor === 0 && newMinor > minor);
}

/** The entries of a package with their conditions, and what their types declare. */
async function packageSurface(name) {
  const { exports } = JSON.parse(await read(`${name}/package.json`));
  const lines = [];
  for (const [entry, conditions] of Object.entries(exports)) {
    lines.push(
      `${entry} (${Object.keys(conditions)
        .filter(() => typeof conditions === "object")
        .join(", ")})`,
    );
    const types = conditions.import?.types ?? conditions.types;
    if (types === undefined) continue;
    lines.push(...(await declaredBy(`${name}/dist/${types}`)).map((line) => `${entry} ${line}`));
  }
  return lines;
}

/** What a file declares, and what it re-exports of other files. The API's types have a surface of their own. */
async function declaredBy(file) {
  const text = await read(file);
  const lines = declaredIn(text).filter((line) => !line.startsWith("import "));
  for (const [, names, module] of text.matchAll(/export (?:type )?\{([^}]+)\} from "\.\/([\w-]+)\.js"/g)) {
    if (module === "openapi") continue;
    const isExported = new RegExp(
      `^(${names
        .split(",")
        .map((name) => name.trim())
        .join("|")})\\b(?!\\.#)`,
    );
    lines.push(...declaredIn(await read(join(file, "..", `${module}.d.ts`))).filter((line) => isExported.test(line)));
  }
  return lines;
}

/** A line for each declaration, member and variant, sorted. */
function declaredIn(text) {
  const source = ts.createSourceFile("surface.d.ts", text, ts.ScriptTarget.Latest, true);
  return [...new Set(source.statements.flatMap((statement) => linesOf(statement)))].sort();

  function linesOf(node) {
    const name = node.name?.getText(source) ?? "";
    if (ts.isFunctionDeclaration(node)) return [`${name}(${printed(node.parameters)}): ${print(node.type)}`];
    if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) return membersOf(name, node.members);
    if (ts.isTypeAliasDeclaration(node)) return typeLines(name, node.type, " =");
    if (ts.isVariableStatement(node)) return node.declarationList.declarations.map(print);
    return [print(node)];
  }

  function membersOf(owner, members) {
    return members
      .filter((member) => !ts.isIndexSignatureDeclaration(member))
      .flatMap((member) => {
        const path = `${owner}.${member.name?.getText(source) ?? "constructor"}${member.questionToken ? "?" : ""}`;
        if (!member.type || ts.isMethodDeclaration(member)) return [`${owner}.${print(member)}`];
        return typeLines(path, member.type, ":");
      });
  }

  function typeLines(path, type, separator) {
    if (ts.isTypeLiteralNode(type)) return membersOf(path, type.members);
    if (ts.isIntersectionTypeNode(type)) return type.types.flatMap((part) => typeLines(path, part, separator));
    if (ts.isUnionTypeNode(type)) return type.types.flatMap((variant) => variantLines(path, variant));
    return type.kind === ts.SyntaxKind.NeverKeyword ? [] : [`${path}${separator} ${print(type)}`];
  }

  /** An object variant is named after its first member, as in `{ ok: true }`. */
  function variantLines(path, variant) {
    if (!ts.isTypeLiteralNode(variant)) return [`${path} | ${print(variant)}`];
    const [first, ...others] = variant.members;
    const name = `${path} | { ${print(first)} }`;
    return [name, ...membersOf(name, others)];
  }

  function printed(nodes) {
    return nodes.map(print).join(", ");
  }

  function print(node) {
    return node ? printer.printNode(ts.EmitHint.Unspecified, node, source).replace(/\s+/g, " ") : "";
  }
}

async function read(path) {
  return readFile(join(here, path), "utf8");
}
