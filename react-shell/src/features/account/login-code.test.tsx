import { cleanup, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { errorResponse, issueTokens, openShop, signIn, type MockResponses } from "../../test-shop";
import { replaceDocument } from "../../shared/document-navigation";
import { saveReturnPath } from "../../shared/return-path";
import { session } from "../../shared/session";

const TOKEN = "T".repeat(43);
const SENT = { "POST /api/auth/login-code": { message: "We emailed you a 6-digit code.", login_token: TOKEN } };
const ACCEPTED = { "POST /api/auth/login-with-code": issueTokens("ada@example.com") };

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

/** Asks for a code on the login page, and goes on to the page of the code. */
async function askForCode(responses: MockResponses) {
  const page = openShop("/login", { ...SENT, ...responses });
  await page.user.type(await screen.findByLabelText("Email"), " ada@example.com ");
  await page.user.click(screen.getByRole("button", { name: "Email Me a Code Instead" }));
  await screen.findByLabelText("Code");
  return page;
}

describe("logging in with a code", () => {
  test("takes an address and a code, and leads on after 1.25 s", async () => {
    saveReturnPath("/checkout");
    const page = await askForCode(ACCEPTED);
    expect(page.router.state.location.pathname).toBe("/login/code");
    expect(screen.getByText("ada@example.com")).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Code")));
    await page.user.type(screen.getByLabelText("Code"), "123 456{Enter}");
    await screen.findByText("You’re logged in.");
    expect(page.sent("POST /api/auth/login-code")[0]?.body).toEqual({
      username: "ada@example.com",
      recaptchaToken: "",
    });
    expect(page.sent("POST /api/auth/login-with-code")[0]?.body).toEqual({
      username: "ada@example.com",
      code: "123 456",
      login_token: TOKEN,
    });
    expect(session.state()).toMatchObject({ kind: "signed-in", email: "ada@example.com" });
    await waitFor(() => expect(replaceDocument).toHaveBeenCalledWith("/checkout"), { timeout: 2_000 });
  });

  test("needs no password, and an address that is one", async () => {
    const page = openShop("/login", SENT);
    await page.user.type(await screen.findByLabelText("Email"), "ada");
    await page.user.click(screen.getByRole("button", { name: "Email Me a Code Instead" }));
    expect(screen.queryByText("Enter your password.")).toBeNull();
    expect(screen.getByLabelText("Email").getAttribute("aria-invalid")).toBe("true");
    expect(page.sent("POST /api/auth/login-code")).toHaveLength(0);
  });

  test("says at the field that a code is wrong", async () => {
    const wrong = errorResponse(400, { error: "That code isn’t right.", code: "CodeInvalid" });
    const page = await askForCode({ "POST /api/auth/login-with-code": wrong });
    await page.user.type(screen.getByLabelText("Code"), "12{Enter}");
    expect(await screen.findByText("Enter the 6-digit code.")).toBeTruthy();
    await page.user.type(screen.getByLabelText("Code"), "3456{Enter}");
    expect(await screen.findByText("That code isn’t right.")).toBeTruthy();
    expect(screen.getByLabelText("Code").getAttribute("aria-invalid")).toBe("true");
  });

  test("sends a new code to the same address and for the same browser", async () => {
    const page = await askForCode({});
    const resend = screen.getByRole("button", { name: "Resend Code" });
    expect(resend.getAttribute("aria-disabled")).toBe("true");
    await waitFor(() => expect(resend.getAttribute("aria-disabled")).toBe("false"), { timeout: 6_000 });
    await page.user.click(resend);
    await screen.findByText("We emailed you a 6-digit code.");
    expect(page.sent("POST /api/auth/login-code")[1]?.body).toEqual({
      username: "ada@example.com",
      recaptchaToken: "",
      login_token: TOKEN,
    });
  }, 10_000);

  test("asks for the code first in a browser that has not, as after the link of the email", async () => {
    const page = openShop("/login/code?email=bea%40example.com", { ...SENT, ...ACCEPTED });
    expect(await screen.findByLabelText("Email")).toHaveProperty("value", "bea@example.com");
    expect(screen.queryByLabelText("Code")).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "Email Me a Code" }));
    expect(await screen.findByLabelText("Code")).toBeTruthy();
    expect(screen.getByText("bea@example.com")).toBeTruthy();
  });

  test("shows what the server says when no code can be sent", async () => {
    const busy = errorResponse(429, { error: "Too many attempts.", code: "TooManyRequests" });
    const page = openShop("/login/code", { "POST /api/auth/login-code": busy });
    await page.user.type(await screen.findByLabelText("Email"), "ada@example.com");
    await page.user.click(screen.getByRole("button", { name: "Email Me a Code" }));
    expect((await screen.findByRole("alert")).textContent).toBe("Too many attempts.");
  });

  test("is not for those who are logged in", async () => {
    signIn("ada@example.com");
    const { router } = openShop("/login/code");
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
    cleanup();
  });
});
