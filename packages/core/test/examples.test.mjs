// The examples of the types: each line `expression // result` is run.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import ts from "typescript";
import * as index from "../dist/index.js";
import * as schedule from "../dist/schedule.js";
import * as tax from "../dist/tax.js";

const product = {
  id: "019b0000-0000-7000-8000-000000000001",
  name: "Nudgelight One",
  slug: "nudgelight-one",
  description: "A small light.",
  price: 24.99,
  stock: 42,
  available: 40,
  weight_pounds: 0.6,
  active: true,
  image: "/images/nudgelight-one.svg",
  version: 1,
};
const cart = index.addToCart([], product, 2).cart;

for (const [entry, functions] of Object.entries({ index, schedule, tax })) {
  const declared = declaredFunctions(entry);

  test(`${entry}: every exported function is declared, with what it throws and an example`, () => {
    assert.deepEqual(declared.map(({ name }) => name).sort(), Object.keys(functions).sort());
    for (const { name, example, tags, parameters } of declared) {
      assert.ok(example, `${name} has no example`);
      assert.ok(parameters === 0 || tags.includes("throws"), `${name} does not say what it throws`);
    }
  });

  for (const { name, example } of declared) {
    test(`${entry}: the example of ${name} gives what it says`, () => run(example, functions));
  }
}

function declaredFunctions(entry) {
  const text = readFileSync(new URL(`../dist/${entry}.d.ts`, import.meta.url), "utf8");
  const source = ts.createSourceFile("entry.d.ts", text, ts.ScriptTarget.Latest, true);
  return source.statements.filter(ts.isFunctionDeclaration).map((declared) => {
    const tags = ts.getJSDocTags(declared);
    const example = tags.find(({ tagName }) => tagName.text === "example")?.comment;
    const name = declared.name?.text ?? "";
    return { name, example, tags: tags.map(({ tagName }) => tagName.text), parameters: declared.parameters.length };
  });
}

/** Runs the lines in order. A line without a result is a declaration. */
function run(example, functions) {
  const scope = { ...functions, product, cart };
  let declarations = "";
  let results = 0;
  for (const line of example.split("\n")) {
    const [, expression, result] = /^(.*\S) \/\/ (.*)$/.exec(line) ?? [];
    if (expression === undefined) declarations += `${line}\n`;
    else {
      const [given, expected] = evaluate(`${declarations} return [${expression}, ${result}];`, scope);
      assert.deepEqual(given, expected, line);
      results += 1;
    }
  }
  assert.ok(results > 0, "an example without a result");
}

function evaluate(code, scope) {
  return new Function(...Object.keys(scope), code)(...Object.values(scope));
}
