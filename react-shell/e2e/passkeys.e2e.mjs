/** Passkeys with Chromium's virtual authenticator: add, log in by button and by suggestion, rename, remove. */
import assert from "node:assert/strict";
import { violationsOf } from "./axe.mjs";
import { resize, test } from "./fixtures.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { arrivesAt, logsIn, sees } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("./shop.mjs").Shop} Shop */

const CUSTOMER = "customer@nudgelight.example";
const ADMIN = "admin@nudgelight.example";

/** Passkeys need a host name. @param {Shop} shop */
const baseURL = ({ url }) => url.replace("127.0.0.1", "localhost");

/**
 * A virtual authenticator that verifies its user without asking.
 *
 * @param {Page} page
 */
async function addsAuthenticator(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable", { enableUI: false });
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const credentials = async () => {
    const { credentials: held } = await session.send("WebAuthn.getCredentials", { authenticatorId });
    return held;
  };
  /** @param {boolean} enabled */
  const setPresence = (enabled) =>
    session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
  /** @param {boolean} isUserVerified */
  const setVerified = (isUserVerified) => session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
  return { credentials, setPresence, setVerified };
}

/** @param {Page} page @param {string} email */
async function addsPasskey(page, email) {
  await logsIn(page, email, DEMO_PASSWORD);
  await page.goto("/profile/settings");
  await page.getByRole("button", { name: "Add a Passkey" }).click();
  await sees(page, "Passkey added.");
}

/** Logs out and forgets everything but the authenticator. @param {Page} page */
async function logsOut(page) {
  await page.goto("/");
  await page.evaluate(() => localStorage.clear());
}

/** @param {Page} page */
async function profileEmail(page) {
  await page.goto("/profile");
  return page.locator("dd").first().textContent();
}

test.describe("a passkey", () => {
  test("is added in the settings and logs in with one press and no field", async ({ shop, newVisitor }) => {
    const { page, browserErrors } = await newVisitor({ baseURL: baseURL(shop) });
    const authenticator = await addsAuthenticator(page);
    await addsPasskey(page, CUSTOMER);
    await page.getByText("not used yet").waitFor();
    assert.deepEqual(await violationsOf(page), []);
    const [credential] = await authenticator.credentials();
    assert.equal(credential?.rpId, "localhost");
    assert.equal(credential?.isResidentCredential, true);

    await authenticator.setPresence(false);
    await logsOut(page);
    await page.goto("/login");
    const button = page.getByRole("button", { name: "Log In with a Passkey" });
    await button.waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await authenticator.setPresence(true);
    // The only press, and no field.
    await button.click();
    await sees(page, "You’re logged in.");
    await arrivesAt(page, "/");
    assert.equal(await profileEmail(page), CUSTOMER);
    await page.goto("/profile/settings");
    await page.getByText("last used").waitFor();
    assert.deepEqual(browserErrors, []);
  });

  test("is suggested by the email field and logs in without the button", async ({ shop, newVisitor }) => {
    const { page, browserErrors } = await newVisitor({ baseURL: baseURL(shop) });
    const authenticator = await addsAuthenticator(page);
    await addsPasskey(page, CUSTOMER);
    await logsOut(page);
    // The virtual authenticator chooses the suggestion of a conditional request at once.
    await page.goto("/login");
    await arrivesAt(page, "/");
    assert.equal(await profileEmail(page), CUSTOMER);
    assert.ok((await authenticator.credentials()).every(({ signCount }) => signCount > 1));
    assert.deepEqual(browserErrors, []);
  });

  test("is renamed and removed, and then logs in no more", async ({ shop, newVisitor }) => {
    const { page } = await newVisitor({ baseURL: baseURL(shop) });
    const authenticator = await addsAuthenticator(page);
    await addsPasskey(page, ADMIN);
    await page.getByRole("button", { name: /^Rename / }).click();
    await page.getByLabel("Name").fill("Desk");
    await page.getByRole("button", { name: "Save" }).click();
    await sees(page, "Passkey renamed.");
    await page.getByText("Desk", { exact: true }).waitFor();
    // The same device again.
    await page.getByRole("button", { name: "Add a Passkey" }).click();
    await sees(page, "This device already has a passkey for your account.");
    await page.getByRole("button", { name: "Remove Desk" }).click();
    await sees(page, "Passkey removed.");
    assert.equal(await page.getByText("Desk", { exact: true }).count(), 0);

    await authenticator.setPresence(false);
    await logsOut(page);
    await page.goto("/login");
    const button = page.getByRole("button", { name: "Log In with a Passkey" });
    await button.waitFor();
    await authenticator.setPresence(true);
    await button.click();
    await sees(page, "That passkey didn’t work.");
    assert.equal(new URL(page.url()).pathname, "/login");
  });

  test("is not offered at the IP address, and the login page fits a phone where it is", async ({
    shop,
    newVisitor,
  }) => {
    const { page } = await newVisitor({ baseURL: shop.url });
    await page.goto("/login");
    await page.getByRole("button", { name: "Email Me a Code Instead" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Log In with a Passkey" }).count(), 0);
    assert.equal(await page.getByLabel("Email").getAttribute("autocomplete"), "username");

    const phone = await newVisitor({ baseURL: baseURL(shop), viewport: { width: 390, height: 664 } });
    await phone.page.goto("/login");
    await phone.page.getByRole("button", { name: "Log In with a Passkey" }).waitFor();
    const last = phone.page.getByRole("link", { name: "Register" });
    await resize(phone.page, 390, 664);
    const box = await last.boundingBox();
    assert.ok(box !== null && box.y + box.height <= 664, `the last link ends at ${box && box.y + box.height}`);
    assert.equal(await phone.page.getByLabel("Email").getAttribute("autocomplete"), "username webauthn");
  });
});
