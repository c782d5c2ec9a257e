import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { offline, openShop, errorResponse, signIn, issueTokens, type MockResponses } from "../../test-shop";
import { replaceDocument } from "../../shared/document-navigation";
import { saveReturnPath } from "../../shared/return-path";
import { session } from "../../shared/session";

async function logIn(responses: MockResponses) {
  const page = openShop("/login", responses);
  await page.user.type(await screen.findByLabelText("Email"), "ada@example.com");
  await page.user.type(screen.getByLabelText("Password"), "four small lamps");
  await page.user.click(screen.getByRole("button", { name: "Login" }));
  return page;
}

const INCORRECT = "Incorrect email or password. If you just signed up, confirm your email first.";
const ACCEPTED = { "POST /api/auth/login": issueTokens("ada@example.com") };

describe("logging in", () => {
  // spec: /login | all | Login form
  // spec: email and password
  // spec: on login the tokens are stored
  // spec: Login success leads to / after 1.25 s.
  // spec: username, password, recaptchaToken
  // spec: after sign-up, confirm, login and reset
  test("stores the tokens and leads home after 1.25 s, not sooner", async () => {
    const page = await logIn(ACCEPTED);
    await screen.findByText("You’re logged in.");
    expect(page.sent("POST /api/auth/login")[0]?.body).toEqual({
      username: "ada@example.com",
      password: "four small lamps",
      recaptchaToken: "",
    });
    expect(localStorage.getItem("refreshToken")).toBe("refresh");
    expect(replaceDocument).not.toHaveBeenCalled();
    await waitFor(() => expect(replaceDocument).toHaveBeenCalledWith("/"), { timeout: 2_000 });
  });

  test("leads back to the page that asked for it", async () => {
    saveReturnPath("/checkout?step=address");
    await logIn(ACCEPTED);
    await waitFor(() => expect(replaceDocument).toHaveBeenCalledWith("/checkout?step=address"), { timeout: 2_000 });
  });

  test("sends the form once when the button bounces", async () => {
    const page = openShop("/login", ACCEPTED);
    await page.user.type(await screen.findByLabelText("Email"), "ada@example.com");
    await page.user.type(screen.getByLabelText("Password"), "four small lamps");
    const button = screen.getByRole("button", { name: "Login" });
    // Both clicks occur before the next render.
    act(() => {
      button.click();
      button.click();
    });
    await screen.findByText("You’re logged in.");
    expect(button.getAttribute("aria-disabled")).toBe("true");
    expect(page.sent("POST /api/auth/login")).toHaveLength(1);
  });

  test.each(["https://evil.example", "//evil.example", "/\\evil.example"])("never leads to %s", async (path) => {
    saveReturnPath(path);
    await logIn(ACCEPTED);
    await waitFor(() => expect(replaceDocument).toHaveBeenCalledWith("/"), { timeout: 2_000 });
  });

  // spec: the server's response body
  test("shows what the server says, never JSON", async () => {
    await logIn({ "POST /api/auth/login": errorResponse(401, { error: INCORRECT, code: "BadCredentials" }) });
    expect((await screen.findByRole("alert")).textContent).toBe(INCORRECT);
  });

  // spec: an error message
  test("says An error occurred. when there is no answer", async () => {
    await logIn({ "POST /api/auth/login": offline });
    expect((await screen.findByRole("alert")).textContent).toBe("An error occurred.");
  });

  test("shows the way to the code to whoever may not have confirmed", async () => {
    await logIn({ "POST /api/auth/login": errorResponse(401, { error: INCORRECT, code: "BadCredentials" }) });
    const link = await screen.findByRole("link", { name: "Confirm your email" });
    expect(link.getAttribute("href")).toBe("/confirm-email");
  });

  test("brings what the last login of this browser gave, also after a logout", async () => {
    const first = await logIn(ACCEPTED);
    await screen.findByText("You’re logged in.");
    expect(first.sent("POST /api/auth/login")[0]?.body).not.toHaveProperty("device_token");
    expect(localStorage.getItem("deviceToken")).toBe("device");
    cleanup();
    session.logOut();
    const again = await logIn(ACCEPTED);
    await screen.findByText("You’re logged in.");
    expect(again.sent("POST /api/auth/login")[0]?.body).toMatchObject({ device_token: "device" });
  });

  test("asks an administrator for the app's code, and keeps what was typed before", async () => {
    const message = "Enter the code from your authenticator app.";
    const responses = [
      errorResponse(401, { error: message, code: "TotpRequired" }),
      errorResponse(401, { error: INCORRECT, code: "BadCredentials" }),
      () => Response.json(issueTokens("ada@example.com")),
    ];
    const page = await logIn({ "POST /api/auth/login": () => responses.shift()?.() });
    expect((await screen.findByRole("alert")).textContent).toBe(message);
    const code = screen.getByLabelText("Authentication Code");
    await waitFor(() => expect(document.activeElement).toBe(code));

    await page.user.click(screen.getByRole("button", { name: "Login" }));
    // The alert says so, and now the field as well.
    await waitFor(() => expect(screen.getAllByText(message)).toHaveLength(2));
    expect(page.sent("POST /api/auth/login")).toHaveLength(1);

    await page.user.type(code, "287 082");
    await page.user.click(screen.getByRole("button", { name: "Login" }));
    await screen.findByText(INCORRECT);
    await page.user.click(screen.getByRole("button", { name: "Login" }));
    await screen.findByText("You’re logged in.");
    expect(page.sent("POST /api/auth/login").map((call) => call.body)).toEqual([
      { username: "ada@example.com", password: "four small lamps", recaptchaToken: "" },
      { username: "ada@example.com", password: "four small lamps", recaptchaToken: "", totp: "287 082" },
      { username: "ada@example.com", password: "four small lamps", recaptchaToken: "", totp: "287 082" },
    ]);
  });

  test("leads on whoever is logged in to the page that asked for it", async () => {
    signIn("ada@example.com");
    saveReturnPath("/profile/settings");
    const { router } = openShop("/login");
    await waitFor(() => expect(router.state.location.pathname).toBe("/profile/settings"));
  });

  test("shows the characters of the password until it is hidden again", async () => {
    const page = openShop("/login");
    const password = await screen.findByLabelText("Password");
    expect(password).toHaveProperty("type", "password");
    await page.user.click(screen.getByRole("button", { name: "Show" }));
    expect(password).toHaveProperty("type", "text");
    await page.user.click(screen.getByRole("button", { name: "Hide" }));
    expect(password).toHaveProperty("type", "password");
  });

  // spec: A logged-in user is redirected to /.
  test("is not for those who are logged in", async () => {
    signIn("ada@example.com");
    const { router } = openShop("/login");
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  });
});
