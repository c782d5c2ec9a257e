import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { offline, openShop, errorResponse, signIn, type MockResponses } from "../../test-shop";
import { replaceDocument } from "../../shared/document-navigation";

const PASSWORD = "four small lamps in a row";

async function fillIn(
  page: ReturnType<typeof openShop>,
  typed: { confirmEmail?: string; confirmPassword?: string } = {},
) {
  const { user } = page;
  await user.type(await screen.findByLabelText("Email"), "ada@example.com");
  await user.type(screen.getByLabelText("Confirm Email"), typed.confirmEmail ?? "ada@example.com");
  await user.type(screen.getByLabelText("Password"), PASSWORD);
  await user.type(screen.getByLabelText("Confirm Password"), typed.confirmPassword ?? PASSWORD);
}

async function register(responses: MockResponses) {
  const page = openShop("/register", responses);
  await fillIn(page);
  await page.user.click(screen.getByRole("button", { name: "Register" }));
  return page;
}

describe("registering", () => {
  // spec: /register
  // spec: Sign-up success leads to /confirm-email after 1.25 s.
  // spec: email, password, recaptchaToken
  // spec: Redirect delay 1.25 s after sign-up
  test("sends the three members and goes on to the code after 1.25 s", async () => {
    const page = await register({ "POST /api/auth/signup": { message: "Check your email." } });
    expect(await screen.findByText("Check your email.")).toBeTruthy();
    expect(page.sent("POST /api/auth/signup")[0]?.body).toEqual({
      email: "ada@example.com",
      password: PASSWORD,
      recaptchaToken: "",
    });
    expect(replaceDocument).not.toHaveBeenCalled();
    await waitFor(() => expect(replaceDocument).toHaveBeenCalledWith("/confirm-email"), { timeout: 2_000 });
  });

  test("cannot be pressed again while it goes on to the code", async () => {
    const page = openShop("/register", { "POST /api/auth/signup": { message: "Check your email." } });
    await fillIn(page);
    const button = screen.getByRole("button", { name: "Register" });
    act(() => {
      button.click();
      button.click();
    });
    await screen.findByText("Check your email.");
    expect(button.getAttribute("aria-disabled")).toBe("true");
    await page.user.click(button);
    await waitFor(() => expect(replaceDocument).toHaveBeenCalledWith("/confirm-email"), { timeout: 2_000 });
    expect(page.sent("POST /api/auth/signup")).toHaveLength(1);
  });

  // spec: The button reads Registering... while busy.
  test("is busy in the specification's word", async () => {
    await register({ "POST /api/auth/signup": () => new Promise(() => undefined) });
    const button = await screen.findByRole("button", { name: "Registering..." });
    // It keeps the focus.
    expect(button.getAttribute("aria-disabled")).toBe("true");
    expect(document.activeElement).toBe(button);
  });

  // spec: emails must match (Emails do not match.)
  test("sends nothing while the addresses differ, and points at the field", async () => {
    const page = openShop("/register");
    await fillIn(page, { confirmEmail: "eve@example.com" });
    await page.user.click(screen.getByRole("button", { name: "Register" }));
    const field = screen.getByLabelText("Confirm Email");
    expect(screen.getByText("Emails do not match.").id).toBe(field.getAttribute("aria-describedby"));
    expect(document.activeElement).toBe(field);
    expect(page.sent("POST /api/auth/signup")).toHaveLength(0);
  });

  // spec: passwords must match (Passwords do not match.); the bot check
  test("shows that passwords differ when the field is left, and forgets it once they match", async () => {
    const page = openShop("/register");
    await fillIn(page, { confirmPassword: PASSWORD.slice(0, -1) });
    expect(screen.queryByText("Passwords do not match.")).toBeNull();
    await page.user.tab();
    expect(screen.getByText("Passwords do not match.")).toBeTruthy();
    await page.user.type(screen.getByLabelText("Confirm Password"), PASSWORD.slice(-1));
    expect(screen.queryByText("Passwords do not match.")).toBeNull();
  });

  // spec: fields email, confirm email, password, confirm password
  // spec: all four fields required
  test("asks for all four fields", async () => {
    const page = openShop("/register");
    const button = await screen.findByRole("button", { name: "Register" });
    await page.user.click(button);
    expect(screen.getByText("Email is required.")).toBeTruthy();
    expect(screen.getByLabelText("Password").getAttribute("aria-invalid")).toBe("true");
  });

  // spec: Error: plus the server's error text
  test("shows the server's error, and the field it is about", async () => {
    const body = { error: "Choose another password.", code: "InvalidRequest", fields: { password: "Too common." } };
    await register({ "POST /api/auth/signup": errorResponse(400, body) });
    expect(await screen.findByText("Error: Choose another password.")).toBeTruthy();
    expect(screen.getByText("Too common.").id).toBe(
      screen.getByLabelText("Password").getAttribute("aria-describedby")?.split(" ")[0],
    );
  });

  // spec: the server's error text, or An error occurred.
  test("says An error occurred. when there is no answer", async () => {
    await register({ "POST /api/auth/signup": offline });
    expect(await screen.findByText("An error occurred.")).toBeTruthy();
  });

  // spec: A logged-in user is redirected to /profile.
  test("is not for those who are logged in", async () => {
    signIn("ada@example.com");
    const { router } = openShop("/register");
    await waitFor(() => expect(router.state.location.pathname).toBe("/profile"));
  });
});
