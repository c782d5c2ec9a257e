import assert from "node:assert/strict";
import { join } from "node:path";
import ts from "typescript";
import { test } from "./fixtures.mjs";

/** The pages with structured data, and the types that each has. */
const PAGES = {
  "/": ["Organization", "WebSite"],
  "/products": ["ItemList", "BreadcrumbList"],
  "/products/nudgelight-one": ["Product", "BreadcrumbList"],
  "/products/nudgelight-halo": ["Product", "BreadcrumbList"],
  "/schedules": ["ItemList", "BreadcrumbList"],
  "/schedules/trash-night": ["WebPage", "BreadcrumbList"],
  "/shipping-and-returns": ["BreadcrumbList"],
};

/** The JSON-LD texts of a page. @param {string} html */
function structuredData(html) {
  return [...html.matchAll(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/g)].map(([, json = ""]) => json);
}

/**
 * Mistakes by the vocabulary of schema.org: properties that a type does not have, and values of the wrong type.
 *
 * @param {string[]} facts JSON-LD texts
 */
function mistakes(facts) {
  const file = join(import.meta.dirname, "structured-data.check.ts");
  const declared = facts.map((json, index) => `export const fact${index}: WithContext<Thing> = ${json};`);
  const source = ['import type { Thing, WithContext } from "schema-dts";', ...declared].join("\n");
  const options = { strict: true, noEmit: true, skipLibCheck: true, moduleResolution: ts.ModuleResolutionKind.Bundler };
  const host = ts.createCompilerHost({ ...options, module: ts.ModuleKind.ESNext });
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.readFile = (name) => (name === file ? source : readFile(name));
  host.getSourceFile = (name, version, ...rest) =>
    name === file ? ts.createSourceFile(name, source, version) : getSourceFile(name, version, ...rest);
  const program = ts.createProgram([file], { ...options, module: ts.ModuleKind.ESNext }, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

test.describe("structured data", () => {
  test("keeps to the vocabulary of schema.org on every page", async ({ request }) => {
    /** @type {string[]} */
    const facts = [];
    for (const [path, types] of Object.entries(PAGES)) {
      const found = structuredData(await (await request.get(path)).text());
      assert.deepEqual(
        found.map((json) => JSON.parse(json)["@type"]),
        types,
        path,
      );
      facts.push(...found);
    }
    assert.deepEqual(mistakes(facts), []);
  });

  test("with a property or a value that schema.org does not have is a mistake", () => {
    const fact = { "@context": "https://schema.org", "@type": "Product", name: "One" };
    const wrong = [{ weigth: "1 lb" }, { offers: { "@type": "Offer", price: {} } }, { "@type": "Produkt" }];
    const facts = [fact, ...wrong.map((change) => ({ ...fact, ...change }))];
    assert.equal(mistakes(facts.map((given) => JSON.stringify(given))).length, wrong.length);
  });
});
