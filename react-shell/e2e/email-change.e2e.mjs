/** Another email address for an account: both codes, the sign-in with it, and the link that undoes it. */
import assert from "node:assert/strict";
import { violationsOf } from "./axe.mjs";
import { test } from "./fixtures.mjs";
import { waitForMail } from "./mail.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { arrivesAt, logsIn, sees } from "./steps.mjs";

const OLD = "customer@nudgelight.example";
const NEW = "countess@lovelace.example";

test("a customer changes the email address, logs in with it, and takes it back", async ({ page, shop }) => {
  await logsIn(page, OLD, DEMO_PASSWORD);
  await page.goto("/profile/settings");
  await page.getByLabel("New Email").fill(NEW);
  await page.getByRole("button", { name: "Email Me the Codes" }).click();
  await sees(page, "We emailed a 6-digit code to each of the two addresses.");
  assert.deepEqual(await violationsOf(page), []);
  const [, current = ""] = await waitForMail(shop, OLD, /to change your account[^]*?^(\d{6})$/m);
  const [, new_ = ""] = await waitForMail(shop, NEW, /to use this email address[^]*?^(\d{6})$/m);
  await page.getByLabel(`Code Sent to ${OLD}`).fill(current);
  await page.getByLabel(`Code Sent to ${NEW}`).fill(new_);
  await page.getByRole("button", { name: "Change Email" }).click();
  await sees(page, "Your email address was changed.");
  await sees(page, NEW);
  // Another page load, with the renewed token.
  await page.reload();
  await sees(page, NEW);

  await page.evaluate(() => localStorage.clear());
  await logsIn(page, NEW, DEMO_PASSWORD);
  const [, path = ""] = await waitForMail(shop, OLD, /(\/undo-email-change#[\w-]+)/);
  await page.goto(path);
  await page.getByRole("heading", { name: "Undo Email Change" }).waitFor();
  assert.deepEqual(await violationsOf(page), []);
  await page.getByRole("button", { name: "Undo Change" }).click();
  await sees(page, `Your account has the address ${OLD} again.`);
  await page.getByRole("link", { name: "Choose a New Password" }).click();
  await arrivesAt(page, "/forgot-password");
  assert.equal(await page.getByLabel("Email").inputValue(), OLD);
  await page.goto("/profile");
  await arrivesAt(page, "/login");
});
