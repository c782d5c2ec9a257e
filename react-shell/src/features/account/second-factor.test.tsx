import { screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { errorResponse, offline, openShop, type MockResponses } from "../../test-shop";

const TOKEN = "T".repeat(43);
const SETUP = {
  "POST /api/auth/second-factor": {
    email: "admin@nudgelight.example",
    secret: "GEZDGNBVGY3TQOJQ",
    url: "otpauth://totp/x",
    qr_code: "<svg xmlns='http://www.w3.org/2000/svg'></svg>",
  },
};

function openLink(responses: MockResponses, token = TOKEN) {
  window.location.hash = token;
  return openShop("/second-factor", responses);
}

afterEach(() => {
  window.location.hash = "";
});

describe("setting up the second factor", () => {
  test("shows the QR code and the key, and after one code the recovery codes", async () => {
    const codes = ["7Q2M-K9XA-PD4T-3HVW", "AAAA-BBBB-CCCC-DDDD"];
    const page = openLink({ ...SETUP, "POST /api/auth/second-factor/confirm": { recovery_codes: codes } });
    const image = await screen.findByAltText("QR code for the authenticator app");
    expect(image.getAttribute("src")).toMatch(/^data:image\/svg\+xml;utf8,%3Csvg/);
    expect(screen.getByText("admin@nudgelight.example")).toBeTruthy();
    expect(screen.getByText("GEZD GNBV GY3T QOJQ")).toBeTruthy();
    await page.user.type(screen.getByLabelText("Authentication Code"), "287 082{Enter}");
    expect(await screen.findByText("7Q2M-K9XA-PD4T-3HVW")).toBeTruthy();
    expect(page.sent("POST /api/auth/second-factor/confirm")[0]?.body).toEqual({ setup_token: TOKEN, totp: "287 082" });
    expect(screen.queryByAltText("QR code for the authenticator app")).toBeNull();
    expect(screen.getByRole("link", { name: "Go to Login" }).getAttribute("href")).toBe("/login");
  });

  test("says at the field that a code is wrong", async () => {
    const wrong = errorResponse(400, { error: "That code isn’t right.", code: "CodeInvalid" });
    const page = openLink({ ...SETUP, "POST /api/auth/second-factor/confirm": wrong });
    await page.user.type(await screen.findByLabelText("Authentication Code"), "123456{Enter}");
    expect(await screen.findByText("That code isn’t right.")).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Authentication Code")));
  });

  test.each([
    ["This link has expired.", errorResponse(400, { error: "This link has expired.", code: "CodeExpired" })],
    ["This page couldn’t be loaded. Reload it to try again.", offline],
  ])("says of a link that does not work: %s", async (message, response) => {
    openLink({ "POST /api/auth/second-factor": response });
    expect((await screen.findByRole("alert")).textContent).toBe(message);
  });

  test("says that a link without its token is incomplete", async () => {
    openLink(SETUP, "");
    expect((await screen.findByRole("alert")).textContent).toMatch(/^This link is incomplete/);
  });
});
