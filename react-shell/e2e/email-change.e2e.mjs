/** Another email address for an account: both codes, the login with it, and the link that undoes it. */
import assert from "node:assert/strict";
import { violationsOf } from "./axe.mjs";
import { test } from "./fixtures.mjs";
import { waitForMail } from "./mail.mjs";
import { arrivesAt, sees } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("./shop.mjs").Shop} Shop */

const OLD = "ada@lovelace.example";
const NEW = "countess@lovelace.example";

/** Logs in, or signs up, with an emailed code. @param {Page} page @param {Shop} shop @param {string} email */
async function logsInByCode(page, shop, email) {
  await page.goto("/login/code");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Email Me a Code" }).click();
  const [, code = ""] = await waitForMail(shop, email, /on the page where[^]*?^(\d{6})$/m);
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByRole("button", { name: "Log In" }).click();
  await arrivesAt(page, "/");
}

test("a customer changes the email address, logs in with it, and takes it back", async ({ page, shop }) => {
  await logsInByCode(page, shop, OLD);
  await page.goto("/profile/settings");
  await page.getByLabel("New Email").fill(NEW);
  await page.getByRole("button", { name: "Email Me the Codes" }).click();
  await sees(page, "We emailed a 6-digit code to each of the two addresses.");
  // The phone has discarded the tab, or the button of the email has opened another one.
  await page.reload();
  await page.getByLabel(`Code Sent to ${NEW}`).waitFor();
  assert.deepEqual(await violationsOf(page), []);
  const [, current = ""] = await waitForMail(shop, OLD, /to change your account[^]*?^(\d{6})$/m);
  const [, other = ""] = await waitForMail(shop, NEW, /to use this email address[^]*?^(\d{6})$/m);
  await page.getByLabel(`Code Sent to ${OLD}`).fill(current);
  await page.getByLabel(`Code Sent to ${NEW}`).fill(other);
  await page.getByRole("button", { name: "Change Email" }).click();
  await sees(page, "Your email address was changed.");
  await sees(page, NEW);
  // Another page load, with the renewed token.
  await page.reload();
  await sees(page, NEW);

  await page.evaluate(() => localStorage.clear());
  await logsInByCode(page, shop, NEW);
  const [, path = ""] = await waitForMail(shop, OLD, /(\/undo-email-change#[\w-]+)/);
  await page.goto(path);
  await page.getByRole("heading", { name: "Undo Email Change" }).waitFor();
  assert.deepEqual(await violationsOf(page), []);
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Undo Change" }).click();
  await sees(page, "An error occurred.");
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Undo Change" }).click();
  await sees(page, `Your account’s email address is ${OLD} again.`);
  await page.getByRole("link", { name: "Choose a New Password" }).click();
  await arrivesAt(page, "/forgot-password");
  assert.equal(await page.getByLabel("Email").inputValue(), OLD);
  await page.goto("/profile");
  await page.getByRole("button", { name: "Login" }).waitFor();
});
