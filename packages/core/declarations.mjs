// The type declarations of an entry: the functions of the rules and the types that they use. wasm-bindgen declares the
// module's own functions, too, and the types of the whole crate.
import ts from "typescript";

/** What wasm-bindgen adds for starting the module. */
const STARTS = /^(InitInput|InitOutput|SyncInitInput|initSync|__wbg_init)$/;

/**
 * @param {string} text the `.d.ts` that wasm-bindgen wrote
 * @returns {{ types: string, functions: string[] }}
 */
export function declarationsOf(text) {
  const source = ts.createSourceFile("wasm.d.ts", text, ts.ScriptTarget.Latest, true);
  const declared = source.statements.filter((statement) => !STARTS.test(nameOf(statement)));
  const functions = declared.filter(ts.isFunctionDeclaration);
  const used = new Set(functions.map(nameOf));
  functions.forEach((statement) => addTypes(statement, declared, used));
  const kept = declared.filter((statement) => used.has(nameOf(statement)));
  return {
    types: `${kept.map((one) => text.slice(one.getStart(source, true), one.end)).join("\n\n")}\n`,
    functions: functions.map(nameOf),
  };
}

/** @param {ts.Statement} statement */
function nameOf(statement) {
  return /** @type {ts.DeclarationStatement} */ (statement).name?.text ?? "";
}

/**
 * @param {ts.Node} node
 * @param {ts.Statement[]} declared
 * @param {Set<string>} used
 */
function addTypes(node, declared, used) {
  if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName) && !used.has(node.typeName.text)) {
    const name = node.typeName.text;
    used.add(name);
    declared.filter((statement) => nameOf(statement) === name).forEach((found) => addTypes(found, declared, used));
  }
  ts.forEachChild(node, (child) => addTypes(child, declared, used));
}
