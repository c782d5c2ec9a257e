import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CONFIG, errorResponse, issueTokens, offline, openShop, type MockResponses } from "../../test-shop";
import { replaceDocument } from "../../shared/document-navigation";
import { forgetConfig } from "../../shared/shop-config";

const SIGNED = { id: "AQ", rawId: "AQ", type: "public-key", response: {}, clientExtensionResults: {} };
const START = { ceremony_token: "t".repeat(43), options: { challenge: "AQID", rpId: "localhost" } };

class FakeCredential {
  static isAvailable = false;
  static isConditionalMediationAvailable = () => Promise.resolve(this.isAvailable);
  static parseRequestOptionsFromJSON = (options: unknown) => options;
  toJSON = () => SIGNED;
}

const get = vi.fn<(options: CredentialRequestOptions) => Promise<unknown>>();

function openLogin(responses: MockResponses = {}) {
  return openShop("/login", {
    "GET /api/config": { ...CONFIG, passkey_origin: location.origin },
    "POST /api/auth/passkey-login": START,
    "POST /api/auth/login-with-passkey": issueTokens("ada@example.com"),
    ...responses,
  });
}

const button = () => screen.findByRole("button", { name: "Log In with a Passkey" });

beforeEach(() => {
  forgetConfig();
  FakeCredential.isAvailable = false;
  get.mockReset().mockImplementation(() => Promise.resolve(new FakeCredential()));
  vi.stubGlobal("PublicKeyCredential", FakeCredential);
  Object.defineProperty(navigator, "credentials", { value: { get }, configurable: true });
});

afterEach(() => {
  vi.unstubAllGlobals();
  forgetConfig();
});

describe("login with a passkey", () => {
  test("by the button takes no field", async () => {
    const page = openLogin();
    await page.user.click(await button());
    expect(await screen.findByText("You’re logged in.")).toBeTruthy();
    expect(get.mock.calls[0]?.[0]).toMatchObject({ publicKey: START.options, mediation: "optional" });
    expect(page.sent("POST /api/auth/login-with-passkey")[0]?.body).toEqual({
      ceremony_token: START.ceremony_token,
      credential: SIGNED,
    });
    await waitFor(() => expect(replaceDocument).toHaveBeenCalledWith("/"));
  });

  test("by a suggestion of the email field takes no press", async () => {
    FakeCredential.isAvailable = true;
    openLogin();
    expect(await screen.findByText("You’re logged in.")).toBeTruthy();
    expect(get.mock.calls[0]?.[0]).toMatchObject({ mediation: "conditional" });
    expect(screen.getByLabelText("Email").getAttribute("autocomplete")).toBe("username webauthn");
  });

  test("ends the suggestion for the button, and with the page", async () => {
    FakeCredential.isAvailable = true;
    const signals: AbortSignal[] = [];
    get.mockImplementation(({ signal }) => {
      if (signal) signals.push(signal);
      return new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
      });
    });
    const page = openLogin();
    await waitFor(() => expect(signals).toHaveLength(1));
    await page.user.click(await button());
    await waitFor(() => expect(signals).toHaveLength(2));
    expect(signals[0]?.aborted).toBe(true);
    page.unmount();
    expect(signals[1]?.aborted).toBe(true);
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("says nothing when the customer cancels, and what the shop says when it fails", async () => {
    const page = openLogin({
      "POST /api/auth/login-with-passkey": errorResponse(400, {
        error: "That passkey didn’t work. Try again, or log in another way.",
        code: "PasskeyInvalid",
      }),
    });
    get.mockRejectedValueOnce(new DOMException("", "NotAllowedError"));
    await page.user.click(await button());
    await waitFor(() => expect(get).toHaveBeenCalledTimes(1));
    expect(screen.queryByRole("alert")).toBeNull();
    await page.user.click(await button());
    expect(await screen.findByText("That passkey didn’t work. Try again, or log in another way.")).toBeTruthy();
    page.responses["POST /api/auth/passkey-login"] = offline;
    await page.user.click(await button());
    expect(await screen.findByText("An error occurred.")).toBeTruthy();
    const message = "Too many attempts. Please try again in 20 seconds.";
    page.responses["POST /api/auth/passkey-login"] = errorResponse(429, { error: message, code: "TooManyRequests" });
    await page.user.click(await button());
    expect(await screen.findByText(message)).toBeTruthy();
  });

  test("says that the browser has failed, and can be tried again", async () => {
    const page = openLogin();
    get.mockRejectedValueOnce(new DOMException("", "SecurityError"));
    await page.user.click(await button());
    expect(await screen.findByText("An error occurred.")).toBeTruthy();
    expect((await button()).getAttribute("aria-disabled")).toBe("false");
    await page.user.click(await button());
    expect(await screen.findByText("You’re logged in.")).toBeTruthy();
  });

  test("leaves no message behind for the password", async () => {
    const page = openLogin({
      "POST /api/auth/login-with-passkey": errorResponse(400, { error: "Not that passkey.", code: "PasskeyInvalid" }),
      "POST /api/auth/login": errorResponse(401, { error: "Not that password.", code: "BadCredentials" }),
    });
    await page.user.click(await button());
    expect(await screen.findByText("Not that passkey.")).toBeTruthy();
    await page.user.type(screen.getByLabelText("Email"), "ada@example.com");
    await page.user.type(screen.getByLabelText("Password"), "four small lamps");
    await page.user.click(screen.getByRole("button", { name: "Login" }));
    expect(await screen.findByText("Not that password.")).toBeTruthy();
    expect(screen.queryByText("Not that passkey.")).toBeNull();
  });

  test("is not offered at another origin", async () => {
    openLogin({ "GET /api/config": { ...CONFIG, passkey_origin: "https://shop.example" } });
    expect((await screen.findByLabelText("Email")).getAttribute("autocomplete")).toBe("username");
    expect(screen.queryByRole("button", { name: "Log In with a Passkey" })).toBeNull();
  });

  test("stays silent when suggestions can't begin", async () => {
    FakeCredential.isAvailable = true;
    const page = openLogin({ "POST /api/auth/passkey-login": offline });
    await waitFor(() => expect(page.sent("POST /api/auth/passkey-login")).toHaveLength(1));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(get).not.toHaveBeenCalled();
  });
});
