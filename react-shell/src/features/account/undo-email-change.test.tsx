import { screen } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { errorResponse, offline, openShop, signIn, type MockResponses } from "../../test-shop";

const UNDO = "POST /api/auth/undo-email-change";
const TOKEN = "T".repeat(43);

async function openLink(responses: MockResponses) {
  window.location.hash = TOKEN;
  const page = openShop("/undo-email-change", responses);
  const button = await screen.findByRole("button", { name: "Undo Change" });
  const press = async () => {
    await page.user.click(button);
    // As the router of a browser does after a submission.
    window.history.replaceState(null, "", window.location.pathname);
  };
  return { ...page, press };
}

afterEach(() => {
  window.location.hash = "";
});

describe("undoing a change of the email address", () => {
  test("waits for a press, and leads to a new password", async () => {
    const page = await openLink({ [UNDO]: { email: "ada@example.com" } });
    expect(page.sent(UNDO)).toHaveLength(0);
    await page.press();
    expect(await screen.findByText("Your account’s email address is ada@example.com again.")).toBeTruthy();
    expect(page.sent(UNDO).map((request) => request.body)).toEqual([{ undo_token: TOKEN }]);
    await page.user.click(screen.getByRole("link", { name: "Choose a New Password" }));
    expect(await screen.findByDisplayValue("ada@example.com")).toBeTruthy();
  });

  test("ends the session of this browser", async () => {
    signIn("thief@example.com");
    const page = await openLink({
      [UNDO]: { email: "ada@example.com" },
      "POST /api/auth/refresh-token": errorResponse(401, { error: "Please log in.", code: "RefreshTokenInvalid" }),
    });
    await page.press();
    expect(await screen.findByText("Your account’s email address is ada@example.com again.")).toBeTruthy();
    expect(localStorage.getItem("accessToken")).toBeNull();
  });

  test("says what is wrong with the link or the network, and can be tried again", async () => {
    const expired = "This link has expired or was already used.";
    const page = await openLink({ [UNDO]: errorResponse(400, { error: expired, code: "CodeExpired" }) });
    await page.press();
    expect(await screen.findByText(expired)).toBeTruthy();
    page.responses[UNDO] = offline;
    await page.press();
    expect(await screen.findByText("An error occurred.")).toBeTruthy();
    page.responses[UNDO] = { email: "ada@example.com" };
    await page.press();
    expect(await screen.findByRole("link", { name: "Choose a New Password" })).toBeTruthy();
    expect(page.sent(UNDO).map((request) => request.body)).toEqual([1, 2, 3].map(() => ({ undo_token: TOKEN })));
  });

  test("says that a link without its end is incomplete, and takes the whole one", async () => {
    openShop("/undo-email-change");
    expect(await screen.findByText("This link is incomplete. Open it from the email again.")).toBeTruthy();
    window.location.hash = TOKEN;
    expect(await screen.findByRole("button", { name: "Undo Change" })).toBeTruthy();
  });
});
