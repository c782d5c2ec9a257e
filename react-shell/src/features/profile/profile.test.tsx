import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { offline, openShop, ORDER, errorResponse, signIn, type MockResponses } from "../../test-shop";

const { id, number, order_date: date, order_date_local: local, total, status, name } = ORDER;
const LISTED = { id, number, order_date: date, order_date_local: local, total, status, name };

beforeEach(() => signIn("ada@example.com"));

describe("the profile", () => {
  const UserAttributes = [
    { Name: "sub", Value: "u1" },
    { Name: "email", Value: "ada@example.com" },
  ];
  const logIn = (session: string, device: string, current: boolean) => ({
    id: session,
    device,
    current,
    created_at: "2026-11-20T10:00:00Z",
    created_at_local: "2026-11-20T10:00:00Z",
    last_used_at: "2026-11-21T10:00:00Z",
    last_used_at_local: "2026-11-21T10:00:00Z",
    expires_at: "2026-12-20T10:00:00Z",
  });
  const HERE = logIn("s1", "Firefox/147.0 (Linux)", true);
  const PHONE = logIn("s2", "Safari/604.1 (iPhone)", false);
  const CAFE = logIn("s3", "Chrome/156.0 (Windows)", false);
  const responses = {
    "GET /api/auth/user": { data: { Username: "ada", UserAttributes } },
    "GET /api/auth/sessions": { sessions: [HERE, PHONE, CAFE] },
  };
  const revoked = () => new Response(null, { status: 204 });

  // spec: index (Profile)
  // spec: Profile tab shows the e-mail
  // spec: list of attributes, each with a name and a value, including email
  // spec: data with UserAttributes
  test("shows the email from the user's attributes", async () => {
    openShop("/profile", responses);
    expect(await screen.findByText("ada@example.com")).toBeTruthy();
  });

  test("opens with the last order's progress and its address", async () => {
    const listed = { orders: [LISTED], page: 1, totalPages: 1, total: 1 };
    openShop("/profile", { ...responses, "GET /api/user/orders": listed, [`GET /api/orders/${id}`]: ORDER });
    const order = within(await screen.findByRole("region", { name: `Order ${number}` }));
    expect(order.getByRole("heading", { name: "Order received" })).toBeTruthy();
    expect(order.getByRole("link", { name: "View order" }).getAttribute("href")).toBe(`/order/${id}`);
    expect(screen.getByText("Shipping address from your last order")).toBeTruthy();
    expect(screen.getByText(/Ada Lovelace/).textContent).toContain(ORDER.address.address.line1);
  });

  test("of a customer without orders has neither", async () => {
    openShop("/profile", { ...responses, "GET /api/user/orders": { orders: [], page: 1, totalPages: 1, total: 0 } });
    expect(await screen.findByText("ada@example.com")).toBeTruthy();
    expect(screen.queryByText(/Shipping address|View order/)).toBeNull();
  });

  test("lists the sessions, and ends one of them", async () => {
    const page = openShop("/profile", { ...responses, "DELETE /api/auth/sessions/s2": revoked });
    expect(await screen.findByText("This device")).toBeTruthy();
    const lines = screen.getAllByText(/^Logged in/).map((line) => line.textContent);
    expect(new Set(lines)).toEqual(new Set(["Logged in 11/20/2026, 10:00 AM, last active 11/21/2026, 10:00 AM"]));
    expect(screen.queryByRole("button", { name: "Log out Firefox on Linux" })).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "Log out Safari on iPhone" }));
    expect(await screen.findByText("Session logged out.")).toBeTruthy();
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Where you’re logged in" })),
    );
    expect(page.sent("DELETE /api/auth/sessions/s2")).toHaveLength(1);
  });

  test("ends all sessions but this one, even when one has ended meanwhile", async () => {
    const over = errorResponse(404, { error: "Session not found.", code: "NotFound" });
    const deletes = { "DELETE /api/auth/sessions/s2": revoked, "DELETE /api/auth/sessions/s3": over };
    const page = openShop("/profile", { ...responses, ...deletes });
    await page.user.click(await screen.findByRole("button", { name: "Log Out Everywhere Else" }));
    expect(await screen.findByText("All other sessions logged out.")).toBeTruthy();
    expect(page.sent("DELETE /api/auth/sessions/s1")).toHaveLength(0);
  });

  test("says so when a session could not be ended, and when they can't be had", async () => {
    const page = openShop("/profile", { ...responses, "DELETE /api/auth/sessions/s2": offline });
    await page.user.click(await screen.findByRole("button", { name: "Log out Safari on iPhone" }));
    expect((await screen.findByRole("alert")).textContent).toBe(
      "Some sessions couldn’t be logged out. Please try again.",
    );
    page.unmount();
    openShop("/profile", { ...responses, "GET /api/auth/sessions": offline });
    expect((await screen.findByRole("alert")).textContent).toContain("couldn’t be loaded");
    expect(screen.getByText("ada@example.com")).toBeTruthy();
  });
});

describe("the list of orders", () => {
  // spec: Orders tab has date filters and page buttons
  // spec: id, order_date, total, status, name
  // spec: GET /api/user/orders (auth) | query page, limit, startDate, endDate
  // spec: Page size 10 for order lists.
  // spec: Dates shown as MM/dd/yyyy.
  test("asks for ten a page, with what stands in the address, and shows them", async () => {
    const page = openShop("/profile/orders?page=2&startDate=2026-11-01&endDate=", {
      "GET /api/user/orders": { orders: [LISTED], page: 2, totalPages: 3, total: 21 },
    });
    expect(await screen.findByRole("link", { name: "1001" })).toHaveProperty("pathname", "/order/o1");
    expect(screen.getAllByText("11/21/2026")).toHaveLength(2);
    expect(screen.getByText("$59.80")).toBeTruthy();
    expect(page.sent("GET /api/user/orders?page=2&limit=10&startDate=2026-11-01")).toHaveLength(1);
    const next = screen.getByRole("link", { name: "Next page" });
    expect(next.getAttribute("href")).toContain("page=3");
    expect(next.getAttribute("href")).toContain("startDate=2026-11-01");
  });

  // spec: Empty: No orders found for the selected criteria.
  test("filters from the first page on", async () => {
    const page = openShop("/profile/orders?page=2", {
      "GET /api/user/orders": { orders: [], page: 1, totalPages: 1, total: 0 },
    });
    await page.user.type(await screen.findByLabelText("From"), "2026-11-02");
    await page.user.click(screen.getByRole("button", { name: "Filter" }));
    expect(await screen.findByText("No orders found for the selected criteria.")).toBeTruthy();
    await waitFor(() => expect(page.sent("GET /api/user/orders?page=1&limit=10&startDate=2026-11-02")).toHaveLength(1));
  });

  // spec: Failed to fetch orders. Please try again later.
  test("keeps its filter when it can't be had", async () => {
    openShop("/profile/orders", { "GET /api/user/orders": offline });
    expect((await screen.findByRole("alert")).textContent).toBe("Failed to fetch orders. Please try again later.");
    expect(screen.getByLabelText("From")).toBeTruthy();
  });
});

test("a wrong range of dates is told at its field alone", async () => {
  const wrong = errorResponse(400, {
    error: "Wrong.",
    code: "InvalidRequest",
    fields: { endDate: "This is before From." },
  });
  openShop("/profile/orders?startDate=2026-11-02&endDate=2026-11-01", { "GET /api/user/orders": wrong });
  expect(await screen.findByText("This is before From.")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

describe("setting the first password", () => {
  const NEW = "five large lamps in a row";

  async function openSettings(responses: MockResponses, isRejected = false) {
    const user = () => {
      const isSet = page.sent("POST /api/auth/confirm-forgot-password").length > 0 && !isRejected;
      const UserAttributes = [{ Name: "has_password", Value: String(isSet) }];
      return Response.json({ data: { Username: "ada@example.com", UserAttributes } });
    };
    const page = openShop("/profile/settings", {
      "GET /api/auth/user": user,
      "POST /api/auth/forgot-password": { message: "Sent." },
      ...responses,
    });
    await page.user.click(await screen.findByRole("button", { name: "Email Me a Code" }));
    await page.user.type(await screen.findByLabelText("Code"), "123456");
    await page.user.type(screen.getByLabelText("New Password"), NEW);
    await page.user.type(screen.getByLabelText("Confirm New Password"), NEW);
    await page.user.click(screen.getByRole("button", { name: "Set a Password" }));
    return page;
  }

  test("takes an emailed code, and the account has a password from then on", async () => {
    const page = await openSettings({ "POST /api/auth/confirm-forgot-password": { message: "ok" } });
    expect(await screen.findByText("Your password is set. You were logged out on all other devices.")).toBeTruthy();
    expect(page.sent("POST /api/auth/forgot-password")[0]?.body).toEqual({ username: "ada@example.com" });
    expect(page.sent("POST /api/auth/confirm-forgot-password")[0]?.body).toEqual({
      username: "ada@example.com",
      confirmationCode: "123456",
      password: NEW,
    });
    expect(await screen.findByRole("heading", { name: "Change Password" })).toBeTruthy();
  });

  test("says at the code that it is wrong, and keeps what was typed", async () => {
    const wrong = errorResponse(400, { error: "That code isn’t right.", code: "CodeInvalid" });
    await openSettings({ "POST /api/auth/confirm-forgot-password": wrong }, true);
    expect(await screen.findByText("That code isn’t right.")).toBeTruthy();
    expect(screen.getByLabelText("Code").getAttribute("aria-invalid")).toBe("true");
    expect(screen.getByLabelText("New Password")).toHaveProperty("value", NEW);
  });
});

describe("changing the password", () => {
  const OLD = "four small lamps in a row";
  const NEW = "five large lamps in a row";

  async function change(responses: MockResponses, confirm = NEW) {
    const page = openShop("/profile/settings", responses);
    await page.user.type(await screen.findByLabelText("Current Password"), OLD);
    await page.user.type(screen.getByLabelText("New Password"), NEW);
    await page.user.type(screen.getByLabelText("Confirm New Password"), confirm);
    await page.user.click(screen.getByRole("button", { name: "Change Password" }));
    return page;
  }

  // spec: Settings tab is the change-password form
  // spec: previousPassword, proposedPassword
  test("sends both passwords and shows the answer", async () => {
    const page = await change({ "POST /api/change-password": { message: "Changed." } });
    expect(await screen.findByText("Changed.")).toBeTruthy();
    expect(page.sent("POST /api/change-password")[0]?.body).toEqual({ previousPassword: OLD, proposedPassword: NEW });
    expect(screen.getByLabelText("New Password")).toHaveProperty("value", "");
  });

  // spec: new password and confirmation must match (New passwords do not match.)
  test("sends nothing while the new ones differ", async () => {
    const page = await change({}, "something else");
    expect(screen.getByText("New passwords do not match.")).toBeTruthy();
    expect(page.sent("POST /api/change-password")).toHaveLength(0);
  });

  // spec: Password change was unsuccessful. Please try again.; or the server error; or An error occurred while changing the password.
  test.each([
    ["Password change was unsuccessful. Please try again.", {}],
    ["Incorrect password.", errorResponse(400, { error: "Incorrect password.", code: "BadCredentials" })],
    ["An error occurred while changing the password.", offline],
  ])("says %s", async (message, response) => {
    await change({ "POST /api/change-password": response });
    expect((await screen.findByRole("alert")).textContent).toBe(message);
  });
});
