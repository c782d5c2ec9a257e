import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { errorResponse, offline, openShop, signIn, type MockResponses } from "../../test-shop";

const CODE = "7Q2M-K9XA-PD4T-3HVW";

function openSettings(left: string | undefined, responses: MockResponses = {}) {
  const attribute = left === undefined ? [] : [{ Name: "recovery_codes_left", Value: left }];
  return openShop("/profile/settings", {
    "GET /api/auth/user": { data: { Username: "admin", UserAttributes: attribute } },
    "GET /api/auth/passkeys": { passkeys: [] },
    "POST /api/auth/recovery-codes": { recovery_codes: [CODE] },
    ...responses,
  });
}

beforeEach(() => signIn("admin@example.com"));

describe("the recovery codes of the settings", () => {
  test("are replaced with a code of the app, and shown once", async () => {
    const page = openSettings("7");
    expect(await screen.findByText(/7 of 10 are left/)).toBeTruthy();
    await page.user.type(screen.getByLabelText("Authentication Code"), " 287 082 {Enter}");
    expect(await screen.findByText(CODE)).toBeTruthy();
    expect(page.sent("POST /api/auth/recovery-codes")[0]?.body).toEqual({ totp: "287 082" });
    expect(screen.queryByLabelText("Authentication Code")).toBeNull();
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Save your recovery codes" })),
    );
  });

  test("say at the field what is wrong, and let the administrator try again", async () => {
    const message = "Enter the six digits from your app or a recovery code.";
    const page = openSettings("0", {
      "POST /api/auth/recovery-codes": errorResponse(400, {
        error: message,
        code: "InvalidRequest",
        fields: { totp: message },
      }),
    });
    expect(await screen.findByText(/None are left/)).toBeTruthy();
    await page.user.type(screen.getByLabelText("Authentication Code"), "12{Enter}");
    expect((await screen.findAllByText(message)).length).toBeGreaterThan(0);
    page.responses["POST /api/auth/recovery-codes"] = offline;
    await page.user.type(screen.getByLabelText("Authentication Code"), "{Enter}");
    expect(await screen.findByText("An error occurred.")).toBeTruthy();
    page.responses["POST /api/auth/recovery-codes"] = { recovery_codes: [CODE] };
    await page.user.type(screen.getByLabelText("Authentication Code"), "{Enter}");
    expect(await screen.findByText(CODE)).toBeTruthy();
  });

  test("are for accounts with a second factor", async () => {
    openSettings(undefined);
    expect(await screen.findByRole("heading", { name: "Change Password" })).toBeTruthy();
    expect(screen.queryByRole("heading", { name: "Recovery Codes" })).toBeNull();
  });
});
