// Firefox through WebDriver BiDi. Playwright's own support needs a newer Firefox than Debian's ESR.
import { test } from "@playwright/test";
import { launch } from "puppeteer-core";
import { installed } from "./installed.mjs";

const FIREFOX = installed("firefox-esr", "firefox");

/** Opens Firefox, or skips the test. */
export function openFirefox() {
  test.skip(FIREFOX === undefined && process.env["CI"] !== "true", "needs Firefox");
  return launch({
    browser: "firefox",
    executablePath: FIREFOX ?? "firefox",
    // Firefox ESR does not support Puppeteer's viewport.
    defaultViewport: null,
    args: ["--width=1280", "--height=900"],
  });
}

/** Collects console errors and uncaught exceptions. @param {import("puppeteer-core").Page} page */
export function browserErrors(page) {
  /** @type {string[]} */
  const errors = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  return errors;
}
