import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { errorResponse, issueTokens, offline, openShop, signIn, type MockResponses } from "../../test-shop";

const REQUEST = "POST /api/auth/email-change";
const CONFIRM = "POST /api/auth/confirm-email-change";

async function openSettings(responses: MockResponses = {}) {
  const page = openShop("/profile/settings", {
    "GET /api/auth/user": { data: { Username: "ada@example.com", UserAttributes: [] } },
    [REQUEST]: { message: "We emailed a 6-digit code to each of the two addresses." },
    [CONFIRM]: { message: "Your email address was changed." },
    "POST /api/auth/refresh-token": () => Response.json(issueTokens("countess@example.com")),
    ...responses,
  });
  await screen.findByRole("heading", { name: "Email Address" });
  const type = (label: string | RegExp, text: string) => page.user.type(screen.getByLabelText(label), text);
  return { ...page, type };
}

beforeEach(() => signIn("ada@example.com"));

describe("the email address of the settings", () => {
  test("is changed with a code from each address, and shown at once", async () => {
    const page = await openSettings();
    expect(screen.getByText("ada@example.com")).toBeTruthy();
    await page.type("New Email", " countess@example.com {Enter}");
    expect(await screen.findByText(/We emailed a 6-digit code to each/)).toBeTruthy();
    expect(page.sent(REQUEST)[0]?.body).toEqual({ email: "countess@example.com" });
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Code Sent to ada@example.com")));
    await page.type("Code Sent to ada@example.com", "123 456");
    await page.type("Code Sent to countess@example.com", "654321{Enter}");
    expect(await screen.findByText("Your email address was changed.")).toBeTruthy();
    expect(page.sent(CONFIRM)[0]?.body).toEqual({ current_code: "123 456", new_code: "654321" });
    expect(await screen.findByText("countess@example.com")).toBeTruthy();
    expect(screen.queryByText("ada@example.com")).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Email Address" })));
  });

  test("says at the field which code is wrong, and starts over", async () => {
    const wrong = "That code isn’t right.";
    const page = await openSettings({
      [CONFIRM]: errorResponse(400, {
        error: "Please correct the marked fields.",
        code: "InvalidRequest",
        fields: { new_code: wrong },
      }),
    });
    await page.type("New Email", "countess@example.com{Enter}");
    await page.user.click(await screen.findByRole("button", { name: "Change Email" }));
    expect(screen.getAllByText("Enter the code from your email.")).toHaveLength(2);
    await page.type("Code Sent to ada@example.com", "123456");
    await page.type("Code Sent to countess@example.com", "000000{Enter}");
    expect(await screen.findByText(wrong)).toBeTruthy();
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByLabelText("Code Sent to countess@example.com")),
    );
    page.responses[CONFIRM] = offline;
    await page.type("Code Sent to countess@example.com", "{Enter}");
    expect(await screen.findByText("An error occurred.")).toBeTruthy();
    await page.user.click(screen.getByRole("button", { name: "Start Over" }));
    expect(screen.getByLabelText("New Email")).toBeTruthy();
    expect(screen.queryByText("An error occurred.")).toBeNull();
  });

  test("is no address that is none, nor the current one", async () => {
    const same = "This is your email address already.";
    const page = await openSettings({
      [REQUEST]: errorResponse(400, { error: "Please correct.", code: "InvalidRequest", fields: { email: same } }),
    });
    await page.type("New Email", "ada{Enter}");
    expect(page.sent(REQUEST)).toHaveLength(0);
    await page.user.clear(screen.getByLabelText("New Email"));
    await page.type("New Email", "ada@example.com{Enter}");
    expect(await screen.findByText(same)).toBeTruthy();
    expect(screen.getByLabelText("New Email")).toBeTruthy();
  });

  test("takes the codes in another tab, too", async () => {
    const page = await openSettings();
    await page.user.click(screen.getByRole("button", { name: "I already have the codes" }));
    await page.type("Code Sent to ada@example.com", "123456");
    await page.type("Code Sent to Your New Email", "654321{Enter}");
    expect(await screen.findByText("Your email address was changed.")).toBeTruthy();
    expect(page.sent(CONFIRM)).toHaveLength(1);
  });

  test("remembers in this tab where the codes were sent, for this account alone", async () => {
    const page = await openSettings();
    await page.type("New Email", "countess@example.com{Enter}");
    await screen.findByLabelText("Code Sent to countess@example.com");
    page.unmount();
    const again = await openSettings();
    expect(screen.getByLabelText("Code Sent to countess@example.com")).toBeTruthy();
    again.unmount();
    signIn("bob@example.com");
    await openSettings();
    expect(screen.getByLabelText("New Email")).toBeTruthy();
  });

  test("of an administrator needs a code of the app", async () => {
    const message = "Enter the code from your authenticator app.";
    const page = await openSettings({ [REQUEST]: errorResponse(401, { error: message, code: "TotpRequired" }) });
    await page.type("New Email", "countess@example.com{Enter}");
    expect(await screen.findByText(message)).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Authentication Code")));
    page.responses[REQUEST] = { message: "" };
    await page.type("Authentication Code", "287082{Enter}");
    expect(await screen.findByLabelText("Code Sent to countess@example.com")).toBeTruthy();
    expect(page.sent(REQUEST)[1]?.body).toEqual({ email: "countess@example.com", totp: "287082" });
  });
});
