// Sizes and times of the entries, for docs/performance.md: lines of a metric, its unit and its amount. Times are medians
// of new Node.js processes: from the start of the import, and of the first call after it.
import { execFileSync } from "node:child_process";
import { downloadSize } from "../download-size.mjs";

const PROCESSES = 15;
const lines = [{ price: 24.99, weight: 0.6, quantity: 2 }];
const FIRST_CALLS = {
  index: ["quote", lines, "US", 3.62],
  tax: ["quoteFor", { lines, address: { country: "US", state: "CA" } }],
  schedule: ["lightAt", "timezone = America/New_York\non 18:00-23:00 weekdays", "2026-11-27T19:30"],
};

for (const [entry, [name, ...input]] of Object.entries(FIRST_CALLS)) {
  const file = new URL(`dist/${entry}.js`, import.meta.url);
  const runs = Array.from({ length: PROCESSES }, () => measured(file.href, name, input));
  print(`\`${name}\`: download (brotli)`, "bytes", await downloadSize(file));
  print(`\`${name}\`: import of its entry`, "microseconds", median(runs.map(([imported]) => imported)));
  print(`\`${name}\`: first call`, "microseconds", median(runs.map(([, called]) => called)));
}

function measured(url, name, input) {
  const code = `const start = performance.now();
const entry = await import(${JSON.stringify(url)});
const imported = performance.now();
entry[${JSON.stringify(name)}](...${JSON.stringify(input)});
console.log([imported - start, performance.now() - imported].join(" "));`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", code], { encoding: "utf8" });
  return printed.split(" ").map((milliseconds) => Math.round(Number(milliseconds) * 1000));
}

function median(numbers) {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function print(metric, unit, amount) {
  console.log([`${metric}`, unit, amount].join("\t"));
}
