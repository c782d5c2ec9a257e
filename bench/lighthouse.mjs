/**
 * Lighthouse scores of the landing pages: `cargo xtask lighthouse`. The product has photographs. Loads each page several
 * times with the mobile profile and prints the medians. The exit code is 1 if a score that does not depend on the machine
 * is below 100.
 */
import { writeFile } from "node:fs/promises";
import * as chromeLauncher from "chrome-launcher";
import lighthouse from "lighthouse";
import { photograph } from "./photograph.mjs";

const SHOP = required("SHOP_URL");
const PASSWORD = required("SHOP_DEMO_PASSWORD");
const ROUNDS = Number(process.env["ROUNDS"] ?? "5");
const PAGES = ["/", "/products", "/products/nudgelight-one", "/schedule-lab"];
/** The colors of what the photographs show. @type {[number, number, number][]} */
const PHOTOGRAPHS = [
  [200, 60, 40],
  [60, 160, 90],
  [50, 70, 180],
];
/** Scores that do not depend on the machine. Each must be 100. */
const MUST_BE_100 = ["accessibility", "best-practices", "seo"];
const METRICS = {
  "largest-contentful-paint": "LCP ms",
  "total-blocking-time": "TBT ms",
  "cumulative-layout-shift": "CLS",
};

/** @param {string} name */
function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: a running shop is required.`);
  return value;
}

/** Sends a request that must succeed. @param {string} path @param {RequestInit} [options] */
async function request(path, options) {
  const response = await fetch(new URL(path, SHOP), options);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Gives a product three photographs, as in a shop that is open. */
async function addPhotographs() {
  const account = { username: "admin@nudgelight.example", password: PASSWORD, recaptchaToken: "" };
  const { accessToken } = await request("/api/auth/login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(account),
  });
  const { id } = await request("/api/products/nudgelight-one");
  const headers = { Authorization: `Bearer ${accessToken}`, "Content-Type": "image/png" };
  for (const [number, color] of PHOTOGRAPHS.entries()) {
    await request(`/api/products/${id}/photos`, { method: "POST", headers, body: photograph(number + 1, color) });
  }
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Retries, because the trace of a load is sometimes incomplete. @param {string} path */
async function measure(path) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await load(path);
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

/** @param {string} path */
async function load(path) {
  const chrome = await chromeLauncher.launch({
    ...(process.env["CHROMIUM"] && { chromePath: process.env["CHROMIUM"] }),
    chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  try {
    const run = await lighthouse(new URL(path, SHOP).href, { port: chrome.port, output: "json", logLevel: "error" });
    if (!run || run.lhr.runtimeError) throw new Error(`${path}: ${run?.lhr.runtimeError?.message ?? "no result"}`);
    return run.lhr;
  } finally {
    chrome.kill();
  }
}

/** The failed audits of a category. @param {import("lighthouse").Result} result @param {string} category */
function failedAudits(result, category) {
  return (result.categories[category]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (result.audits[id]?.score ?? 1) < 1)
    .map(({ id }) => `${category}: ${result.audits[id]?.title}`);
}

await addPhotographs();
const rows = [["page", "performance", ...MUST_BE_100, ...Object.values(METRICS)]];
/** @type {string[]} */
const short = [];
for (const path of PAGES) {
  const results = [];
  for (let round = 0; round < ROUNDS; round += 1) results.push(await measure(path));
  const score = (/** @type {string} */ category) =>
    median(results.map((result) => Math.round((result.categories[category]?.score ?? 0) * 100)));
  const metric = (/** @type {string} */ id) => median(results.map((result) => result.audits[id]?.numericValue ?? 0));
  const figures = Object.keys(METRICS).map((id) =>
    id === "cumulative-layout-shift" ? metric(id).toFixed(3) : String(Math.round(metric(id))),
  );
  const scores = ["performance", ...MUST_BE_100].map(score);
  rows.push([path, ...scores.map(String), ...figures]);
  console.log(`${path}: ${scores.join(" ")}`);
  const last = results.at(-1);
  if (last) short.push(...MUST_BE_100.flatMap((category) => failedAudits(last, category)).map((text) => `${path} ${text}`));
  if (last && process.env["REPORTS"]) {
    await writeFile(`${process.env["REPORTS"]}/lighthouse${path.replaceAll("/", "-")}.json`, JSON.stringify(last));
  }
}
console.log(`\n| ${rows[0]?.join(" | ")} |\n|${rows[0]?.map(() => "---").join("|")}|`);
for (const row of rows.slice(1)) console.log(`| ${row.join(" | ")} |`);
for (const text of short) console.log(`below 100: ${text}`);
process.exitCode = short.length === 0 ? 0 : 1;
