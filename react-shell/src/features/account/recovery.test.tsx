import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { offline, openShop, errorResponse, issueTokens, type MockResponses } from "../../test-shop";
import { replaceDocument } from "../../shared/document-navigation";
import { session } from "../../shared/session";
import { savePendingEmail } from "./pending-email";

const PASSWORD = "four small lamps in a row";
const TOKEN = "T".repeat(43);

/** The message that is associated with a field. */
function fieldMessage(label: string) {
  const id = screen.getByLabelText(label).getAttribute("aria-describedby") ?? "";
  return document.getElementById(id)?.textContent;
}

describe("confirming an email", () => {
  afterEach(() => vi.useRealTimers());

  async function open(responses: MockResponses = {}) {
    savePendingEmail("ada@example.com");
    const page = openShop("/confirm-email", responses);
    await screen.findByLabelText("Confirmation Code");
    // Runs the effects of the page.
    await act(async () => undefined);
    return page;
  }

  // spec: /confirm-email | all | E-mail confirmation
  // spec: E-mail confirmed leads to /login after 1.25 s.
  // spec: username, code
  // spec: after sign-up, confirm, login and reset
  test("sends the code and leads to the login after 1.25 s", async () => {
    const page = await open({ "POST /api/auth/confirm-email": { message: "Confirmed." } });
    await page.user.type(screen.getByLabelText("Confirmation Code"), " 123456 ");
    await page.user.click(screen.getByRole("button", { name: "Confirm Email" }));
    await screen.findByText("Confirmed.");
    expect(page.sent("POST /api/auth/confirm-email")[0]?.body).toEqual({ username: "ada@example.com", code: "123456" });
    expect(replaceDocument).not.toHaveBeenCalled();
    await waitFor(() => expect(replaceDocument).toHaveBeenCalledWith("/login"), { timeout: 2_000 });
  });

  test("logs in the browser that signed up, and leads on by way of the login", async () => {
    localStorage.setItem("loginToken", TOKEN);
    const answer = { message: "Confirmed.", session: issueTokens("ada@example.com") };
    const page = await open({ "POST /api/auth/confirm-email": answer });
    await page.user.type(screen.getByLabelText("Confirmation Code"), "123456");
    await page.user.click(screen.getByRole("button", { name: "Confirm Email" }));
    await screen.findByText("Confirmed.");
    expect(page.sent("POST /api/auth/confirm-email")[0]?.body).toEqual({
      username: "ada@example.com",
      code: "123456",
      login_token: TOKEN,
    });
    expect(session.state()).toMatchObject({ kind: "signed-in", email: "ada@example.com" });
    expect(localStorage.getItem("loginToken")).toBeNull();
    await waitFor(() => expect(replaceDocument).toHaveBeenCalledWith("/login"), { timeout: 2_000 });
  });

  test("prefills the login of whoever confirms in another browser", async () => {
    const page = await open({ "POST /api/auth/confirm-email": { message: "Confirmed." } });
    await page.user.type(screen.getByLabelText("Confirmation Code"), "123456");
    await page.user.click(screen.getByRole("button", { name: "Confirm Email" }));
    await screen.findByText("Confirmed.");
    cleanup();
    openShop("/login");
    expect(await screen.findByLabelText("Email")).toHaveProperty("value", "ada@example.com");
  });

  test.each(["12", "1234567", "12345x"])("sends no code like %j", async (typed) => {
    const page = await open();
    await page.user.type(screen.getByLabelText("Confirmation Code"), typed);
    await page.user.click(screen.getByRole("button", { name: "Confirm Email" }));
    expect(fieldMessage("Confirmation Code")).toBe("Enter the 6-digit code.");
    expect(page.sent("POST /api/auth/confirm-email")).toHaveLength(0);
  });

  test.each(["CodeInvalid", "CodeExpired"])("says at the field, once, what the server says (%s)", async (code) => {
    const page = await open({
      "POST /api/auth/confirm-email": errorResponse(400, { error: "That code isn’t right.", code }),
    });
    await page.user.type(screen.getByLabelText("Confirmation Code"), "123456");
    await page.user.click(screen.getByRole("button", { name: "Confirm Email" }));
    await screen.findByText("That code isn’t right.");
    expect(fieldMessage("Confirmation Code")).toBe("That code isn’t right.");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Confirmation Code")));
    await page.user.type(screen.getByLabelText("Confirmation Code"), "{Backspace}");
    expect(screen.queryByText("That code isn’t right.")).toBeNull();
  });

  // spec: Confirm e-mail: the body, or An error occurred.
  test.each([
    ["Too many attempts.", errorResponse(429, { error: "Too many attempts.", code: "TooManyRequests" })],
    ["An error occurred.", offline],
  ])("that cannot be confirmed says %s", async (message, response) => {
    const page = await open({ "POST /api/auth/confirm-email": response });
    await page.user.type(screen.getByLabelText("Confirmation Code"), "123456");
    await page.user.click(screen.getByRole("button", { name: "Confirm Email" }));
    expect((await screen.findByRole("alert")).textContent).toBe(message);
  });

  // spec: The resend-code button enables 5 s after the confirmation screen appears.
  // spec: POST /api/auth/resend-code | username
  // spec: Resend-code button enables after 5 s.
  test("wakes the resend button after 5 s", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await open();
    const button = screen.getByRole("button", { name: "Resend Code" });
    act(() => vi.advanceTimersByTime(4_000));
    expect(button.getAttribute("aria-disabled")).toBe("true");
    act(() => vi.advanceTimersByTime(1_000));
    expect(button.getAttribute("aria-disabled")).toBe("false");
  });

  // spec: Resend failure: Failed to resend confirmation code. Resend success: Confirmation code resent successfully.
  test.each([
    ["Confirmation code resent successfully.", { message: "ok" }],
    ["Failed to resend confirmation code.", offline],
  ])("says %s", async (message, response) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const page = await open({ "POST /api/auth/resend-code": response });
    act(() => vi.advanceTimersByTime(5_000));
    fireEvent.click(screen.getByRole("button", { name: "Resend Code" }));
    expect(await screen.findByText(message)).toBeTruthy();
    expect(page.sent("POST /api/auth/resend-code")[0]?.body).toEqual({ username: "ada@example.com" });
  });
});

describe("a forgotten password", () => {
  // spec: /forgot-password | all | Request a reset
  // spec: reads an email query parameter
  // spec: POST /api/auth/forgot-password | username
  test("is asked for, and the next page knows the address", async () => {
    const page = openShop("/forgot-password", {
      "POST /api/auth/forgot-password": { message: "Check your email." },
    });
    await page.user.type(await screen.findByLabelText("Email"), "ada@example.com");
    await page.user.click(screen.getByRole("button", { name: "Send Code" }));
    await screen.findByText("Check your email.");
    await page.user.click(screen.getByRole("link", { name: "Enter Code" }));
    expect(await screen.findByLabelText("Confirmation Code")).toBeTruthy();
    expect(screen.getByLabelText("Email")).toHaveProperty("value", "ada@example.com");
  });

  // spec: Error: plus the server's error, or An error occurred.
  test.each([
    ["Error: Too many attempts.", errorResponse(429, { error: "Too many attempts.", code: "TooManyRequests" })],
    ["An error occurred.", offline],
  ])("that cannot be asked for says %s", async (message, response) => {
    const page = openShop("/forgot-password", { "POST /api/auth/forgot-password": response });
    await page.user.type(await screen.findByLabelText("Email"), "ada@example.com");
    await page.user.click(screen.getByRole("button", { name: "Send Code" }));
    expect((await screen.findByRole("alert")).textContent).toBe(message);
  });

  async function reset(path: string, responses: MockResponses, confirm = PASSWORD) {
    const page = openShop(path, responses);
    await page.user.type(await screen.findByLabelText("Confirmation Code"), "123456");
    await page.user.type(screen.getByLabelText("New Password"), PASSWORD);
    await page.user.type(screen.getByLabelText("Confirm Password"), confirm);
    await page.user.click(screen.getByRole("button", { name: "Reset Password" }));
    return page;
  }

  const PATH = "/confirm-forgot-password?email=ada%40example.com";

  // spec: Password reset success leads to /login after 1.25 s.
  // spec: username, confirmationCode, password
  // spec: Success: Password reset successfully.
  // spec: after sign-up, confirm, login and reset
  test("is replaced, and the login follows after 1.25 s", async () => {
    const page = await reset(PATH, { "POST /api/auth/confirm-forgot-password": { message: "ok" } });
    await screen.findByText("Password reset successfully.");
    expect(page.sent("POST /api/auth/confirm-forgot-password")[0]?.body).toEqual({
      username: "ada@example.com",
      confirmationCode: "123456",
      password: PASSWORD,
    });
    await waitFor(() => expect(replaceDocument).toHaveBeenCalledWith("/login"), { timeout: 2_000 });
  });

  // spec: passwords must match (Passwords do not match.); email required (Email is required.)
  test("needs an address and two equal passwords", async () => {
    const page = await reset("/confirm-forgot-password", {}, "something else");
    expect(screen.getByText("Email is required.")).toBeTruthy();
    expect(screen.getByText("Passwords do not match.")).toBeTruthy();
    expect(page.sent("POST /api/auth/confirm-forgot-password")).toHaveLength(0);
  });

  // spec: the body, or An error occurred during password reset.
  test.each([
    ["That code isn’t right.", errorResponse(400, { error: "That code isn’t right.", code: "CodeInvalid" })],
    ["An error occurred during password reset.", offline],
  ])("that cannot be replaced says %s", async (message, response) => {
    await reset(PATH, { "POST /api/auth/confirm-forgot-password": response });
    expect(await screen.findByText(message)).toBeTruthy();
  });

  test("that cannot be replaced for its code says so at the code's field", async () => {
    const wrong = errorResponse(400, { error: "That code isn’t right.", code: "CodeInvalid" });
    await reset(PATH, { "POST /api/auth/confirm-forgot-password": wrong });
    await screen.findByText("That code isn’t right.");
    expect(fieldMessage("Confirmation Code")).toBe("That code isn’t right.");
  });

  test("is replaced by no code of two digits", async () => {
    const page = openShop(PATH);
    await page.user.type(await screen.findByLabelText("Confirmation Code"), "12");
    await page.user.click(screen.getByRole("button", { name: "Reset Password" }));
    expect(fieldMessage("Confirmation Code")).toBe("Enter the 6-digit code.");
    expect(page.sent("POST /api/auth/confirm-forgot-password")).toHaveLength(0);
  });
});
