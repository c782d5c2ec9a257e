import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The accessibility violations that axe finds. @param {import("@playwright/test").Page} page */
export async function violationsOf(page) {
  // The content security policy blocks a script element.
  await page.evaluate(AXE);
  return page.evaluate(async (tags) => {
    const axe = /** @type {typeof import("axe-core")} */ (Reflect.get(globalThis, "axe"));
    // axe leaves this rule out unless it is named: targets of at least 24 × 24 px, or with as much room (WCAG 2.5.8).
    const rules = { "target-size": { enabled: true } };
    const { violations } = await axe.run(document, { runOnly: tags, rules });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
  }, TAGS);
}
