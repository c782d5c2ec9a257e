import { defineConfig } from "@playwright/test";

const results = "../test-results";
const chromium = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
// Chromium's engine without a user interface. Published pictures and measurements are made with Chromium itself.
const headlessShell = process.env["CHROMIUM_HEADLESS_SHELL"] ?? chromium;
const args = ["--disable-gpu"];
const inHeadlessShell = { launchOptions: { executablePath: headlessShell, args } };

export default defineConfig({
  testDir: "e2e",
  // Each worker runs a shop and a browser, and often waits. With two, a third of a two-core machine was idle.
  workers: 3,
  // Drawing and loading in a real browser depend on the machine's load. A test that passes on a retry is listed as flaky.
  retries: 2,
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: [["list"], ["html", { open: "never", outputFolder: `${results}/report` }]],
  use: {
    viewport: { width: 1280, height: 900 },
    actionTimeout: 15_000,
    navigationTimeout: 15_000,
    trace: "on-first-retry",
    launchOptions: { executablePath: chromium, args },
  },
  projects: [
    {
      name: "browser",
      testMatch: "**/*.e2e.mjs",
      testIgnore: "**/stripe-*",
      outputDir: `${results}/browser`,
      use: inHeadlessShell,
    },
    { name: "stripe", testMatch: "**/stripe-*.e2e.mjs", outputDir: `${results}/stripe`, use: inHeadlessShell },
    { name: "screenshots", testMatch: "**/screenshots.mjs", retries: 0, outputDir: `${results}/screenshots` },
    { name: "readme", testMatch: "**/readme-screenshots.mjs", retries: 0, outputDir: `${results}/readme` },
    { name: "measurements", testMatch: "**/measurements.mjs", retries: 0, outputDir: `${results}/measurements` },
  ],
});
