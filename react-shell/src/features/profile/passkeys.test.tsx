import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CONFIG, errorResponse, offline, openShop, signIn, type MockResponses } from "../../test-shop";
import { forgetConfig } from "../../shared/shop-config";

const PHONE = {
  id: "k1",
  name: "Phone",
  created_at: "2026-11-20T10:00:00Z",
  created_at_local: "2026-11-20T10:00:00Z",
  last_used_at: null,
  last_used_at_local: null,
};
const UserAttributes = [{ Name: "email", Value: "ada@example.com" }];
const CREATED = { id: "AQ", rawId: "AQ", type: "public-key", response: {}, clientExtensionResults: {} };
const OPTIONS = {
  challenge: "AQID",
  user: { id: "AQ", name: "ada@example.com", displayName: "" },
  excludeCredentials: [],
};
const START = { ceremony_token: "t".repeat(43), options: OPTIONS };

class FakeCredential {
  static parseCreationOptionsFromJSON = (options: unknown) => options;
  toJSON = () => CREATED;
}

const create = vi.fn<() => Promise<unknown>>();

function openSettings(responses: MockResponses = {}) {
  return openShop("/profile/settings", {
    "GET /api/config": { ...CONFIG, passkey_origin: location.origin },
    "GET /api/auth/user": { data: { Username: "ada", UserAttributes } },
    "GET /api/auth/passkeys": { passkeys: [PHONE] },
    "POST /api/auth/passkeys/start": START,
    "POST /api/auth/passkeys": { ...PHONE, id: "k2", name: "Tablet" },
    ...responses,
  });
}

beforeEach(() => {
  forgetConfig();
  signIn("ada@example.com");
  create.mockReset().mockImplementation(() => Promise.resolve(new FakeCredential()));
  vi.stubGlobal("PublicKeyCredential", FakeCredential);
  Object.defineProperty(navigator, "credentials", { value: { create }, configurable: true });
});

afterEach(() => {
  vi.unstubAllGlobals();
  forgetConfig();
});

describe("the passkeys of the settings", () => {
  test("are listed, and a new one gets the device's name", async () => {
    const page = openSettings();
    expect(await screen.findByText("Phone")).toBeTruthy();
    expect(screen.getByText(/not used yet/)).toBeTruthy();
    page.responses["GET /api/auth/passkeys"] = { passkeys: [PHONE, { ...PHONE, id: "k2", name: "Tablet" }] };
    await page.user.click(screen.getByRole("button", { name: "Add a Passkey" }));
    expect(await screen.findByText("Tablet")).toBeTruthy();
    expect(screen.getByText(/^Passkey added/)).toBeTruthy();
    expect(create).toHaveBeenCalledWith({ publicKey: OPTIONS });
    const [added] = page.sent("POST /api/auth/passkeys");
    expect(added?.body).toMatchObject({ ceremony_token: START.ceremony_token, credential: CREATED });
  });

  test("say what went wrong, and nothing when the customer cancels", async () => {
    const page = openSettings();
    const add = await screen.findByRole("button", { name: "Add a Passkey" });
    create.mockRejectedValueOnce(new DOMException("", "NotAllowedError"));
    await page.user.click(add);
    await waitFor(() => expect(create).toHaveBeenCalledTimes(1));
    await waitFor(() => expect(add.getAttribute("aria-disabled")).toBe("false"));
    expect(screen.queryByRole("alert")).toBeNull();
    create.mockRejectedValueOnce(new DOMException("", "InvalidStateError"));
    await page.user.click(add);
    expect(await screen.findByText("This device already has a passkey for your account.")).toBeTruthy();
    page.responses["POST /api/auth/passkeys"] = errorResponse(400, {
      error: "That passkey couldn’t be added. Please try again.",
      code: "PasskeyInvalid",
    });
    await page.user.click(add);
    expect(await screen.findByText("That passkey couldn’t be added. Please try again.")).toBeTruthy();
  });

  test("ask an administrator for a code of the app", async () => {
    const page = openSettings();
    page.responses["POST /api/auth/passkeys/start"] = errorResponse(401, {
      error: "Enter the code from your authenticator app.",
      code: "TotpRequired",
    });
    await page.user.click(await screen.findByRole("button", { name: "Add a Passkey" }));
    await page.user.type(await screen.findByLabelText("Authentication Code"), "123456");
    page.responses["POST /api/auth/passkeys/start"] = START;
    await page.user.click(screen.getByRole("button", { name: "Add a Passkey" }));
    expect(await screen.findByText(/^Passkey added/)).toBeTruthy();
    expect(page.sent("POST /api/auth/passkeys/start").map(({ body }) => body)).toEqual([{}, { totp: "123456" }]);
    expect(screen.queryByLabelText("Authentication Code")).toBeNull();
  });

  test("are renamed and removed", async () => {
    const page = openSettings({
      "PATCH /api/auth/passkeys/k1": { ...PHONE, name: "Old phone" },
      "DELETE /api/auth/passkeys/k1": () => new Response(null, { status: 204 }),
    });
    await page.user.click(await screen.findByRole("button", { name: "Rename Phone" }));
    const name = screen.getByLabelText("Name");
    await waitFor(() => expect(document.activeElement).toBe(name));
    await page.user.click(screen.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Passkeys" })));
    await page.user.click(screen.getByRole("button", { name: "Rename Phone" }));
    await page.user.clear(screen.getByLabelText("Name"));
    await page.user.type(screen.getByLabelText("Name"), "Old phone");
    page.responses["GET /api/auth/passkeys"] = { passkeys: [{ ...PHONE, name: "Old phone" }] };
    await page.user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Old phone")).toBeTruthy();
    expect(page.sent("PATCH /api/auth/passkeys/k1")[0]?.body).toEqual({ name: "Old phone" });
    page.responses["GET /api/auth/passkeys"] = { passkeys: [] };
    await page.user.click(screen.getByRole("button", { name: "Remove Old phone" }));
    await waitFor(() => expect(screen.queryByText("Old phone")).toBeNull());
    expect(screen.getByText(/^Passkey removed/)).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Passkeys" })));
  });

  test("are hidden where there are none, and their absence is explained", async () => {
    const page = openSettings({ "GET /api/config": CONFIG, "GET /api/auth/passkeys": { passkeys: [] } });
    expect(await screen.findByRole("heading", { name: "Change Password" })).toBeTruthy();
    expect(screen.queryByRole("heading", { name: "Passkeys" })).toBeNull();
    page.unmount();
    forgetConfig();
    openSettings({ "GET /api/auth/passkeys": offline });
    expect((await screen.findByRole("alert")).textContent).toContain("Your passkeys couldn’t be loaded.");
  });
});

describe("the offer of a passkey", () => {
  const openProfile = (responses: MockResponses = {}) =>
    openShop("/profile", {
      "GET /api/config": { ...CONFIG, passkey_origin: location.origin },
      "GET /api/auth/user": { data: { Username: "ada", UserAttributes } },
      "GET /api/auth/sessions": { sessions: [] },
      ...responses,
    });

  test("leads to the settings, and stays away once it is dismissed", async () => {
    const page = openProfile();
    const link = await screen.findByRole("link", { name: "Add a Passkey" });
    expect(link.getAttribute("href")).toBe("/profile/settings");
    await page.user.click(screen.getByRole("button", { name: "Not Now" }));
    expect(screen.queryByRole("link", { name: "Add a Passkey" })).toBeNull();
    page.unmount();
    openProfile();
    expect(await screen.findByText("ada@example.com")).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Add a Passkey" })).toBeNull();
  });

  test("is made where there are passkeys only", async () => {
    openProfile({ "GET /api/config": CONFIG });
    expect(await screen.findByText("ada@example.com")).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Add a Passkey" })).toBeNull();
  });
});
