import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { CONFIG, LIGHT, offline, openShop, errorResponse, signIn } from "../test-shop";
import { takeReturnPath } from "../shared/return-path";
import { session } from "../shared/session";

const COUNTING = { "GET /api/config": { ...CONFIG, analytics: { kind: "builtin", site: null, url: null } } };
const COUNT = "POST /api/pageviews";

describe("page views", () => {
  // spec: Page views are tracked by an analytics service.
  test("are counted on public pages, and not where an account is at work", async () => {
    const page = openShop("/about", { ...COUNTING, "GET /api/products/nudgelight-one": LIGHT });
    await screen.findByRole("heading", { level: 1, name: /^About/ });
    await page.router.navigate("/products/nudgelight-one?from=mail");
    await page.router.navigate("/login");
    await page.router.navigate("/forgot-password");
    await page.router.navigate("/contact");
    await waitFor(() => expect(page.sent(COUNT)).toHaveLength(3));
    expect(page.sent(COUNT).map((call) => call.body)).toEqual([
      { path: "/about" },
      { path: "/products/nudgelight-one" },
      { path: "/contact" },
    ]);
  });
});

describe("the navigation bar", () => {
  // spec: brand link, About, a Products dropdown listing product names loaded from the server, View Cart with a badge showing the sum of quantities
  test("offers Login and Register to visitors", async () => {
    openShop("/about");
    const bar = await screen.findByRole("navigation", { name: "Main" });
    expect(within(bar).getByRole("link", { name: "Login" })).toBeTruthy();
    expect(within(bar).getByRole("link", { name: "Register" })).toBeTruthy();
    expect(within(bar).queryByRole("link", { name: "My Account" })).toBeNull();
  });

  // spec: Admin routes are registered only for admins.
  // spec: My Account, Admin Panel (admins only) and Logout, or Login and Register
  // spec: Sees the Admin Panel link
  test("offers the account to customers, and the admin panel to administrators alone", async () => {
    signIn("ada@example.com");
    openShop("/about");
    const bar = await screen.findByRole("navigation", { name: "Main" });
    expect(within(bar).getByRole("link", { name: "My Account" })).toBeTruthy();
    expect(within(bar).queryByRole("link", { name: "Admin Panel" })).toBeNull();
    signIn("admin@nudgelight.example", ["Admin"]);
    expect(await within(bar).findByRole("link", { name: "Admin Panel" })).toBeTruthy();
  });

  // spec: a Products dropdown listing product names loaded from the server
  test("lists the products by name", async () => {
    const page = openShop("/about");
    await page.user.click(await screen.findByRole("button", { name: "Products" }));
    const item = await screen.findByRole("menuitem", { name: "Nudgelight One" });
    expect(item.getAttribute("href")).toBe("/products/nudgelight-one");
  });

  test("stands also when the products can't be had", async () => {
    openShop("/about", { "GET /api/product-names": offline });
    expect(await screen.findByRole("heading", { level: 1, name: /^About/ })).toBeTruthy();
  });

  test("logs out: here at once, and at the server", async () => {
    signIn("ada@example.com");
    const page = openShop("/about", { "POST /api/auth/logout": {} });
    await page.user.click(await screen.findByRole("button", { name: "Logout" }));
    expect(session.state().kind).toBe("anonymous");
    expect(page.sent("POST /api/auth/logout")[0]?.body).toEqual({ refreshToken: "refresh" });
    await waitFor(() => expect(page.router.state.location.pathname).toBe("/"));
  });
});

// spec: Home: placeholder heading only
// spec: Any unknown path shows the home page.
test("an unknown address shows the home page", async () => {
  openShop("/no/such/page");
  expect(await screen.findByRole("heading", { level: 1, name: /Nudgelight/ })).toBeTruthy();
});

describe("a page that asks for a login", () => {
  test("is where the login leads, also after an account was made on the way", async () => {
    const { router } = openShop("/profile");
    await waitFor(() => expect(router.state.location.pathname).toBe("/login"));
    await router.navigate("/forgot-password");
    await router.navigate("/login");
    expect(takeReturnPath()).toBe("/profile");
  });

  test("is forgotten when the person goes elsewhere instead", async () => {
    const { router } = openShop("/profile");
    await waitFor(() => expect(router.state.location.pathname).toBe("/login"));
    expect(screen.queryByText("You were logged out. Log in to continue.")).toBeNull();
    await router.navigate("/about");
    await screen.findByRole("heading", { level: 1, name: /^About/ });
    await waitFor(() => expect(sessionStorage.getItem("return-path")).toBeNull());
  });

  test("is where the login leads when the session ended on it, and the login page says so", async () => {
    signIn("ada@example.com");
    const refused = errorResponse(401, { error: "Please log in.", code: "Unauthenticated" });
    const { router } = openShop("/profile/orders?page=2", {
      "GET /api/user/orders": refused,
      "POST /api/auth/refresh-token": refused,
    });
    expect(await screen.findByText("You were logged out. Log in to continue.")).toBeTruthy();
    expect(router.state.location.pathname).toBe("/login");
    expect(takeReturnPath()).toBe("/profile/orders?page=2");
  });
});

test("after a navigation the focus is on the new page's heading", async () => {
  const page = openShop("/about");
  await page.user.click(await screen.findByRole("link", { name: "contact us" }));
  const heading = await screen.findByRole("heading", { level: 1, name: "Contact" });
  await waitFor(() => expect(document.activeElement).toBe(heading));
});

test("a link that is a button is left to whoever made it one", async () => {
  const page = openShop("/about");
  await screen.findByRole("heading", { level: 1, name: /^About/ });
  const painted = document.createElement("a");
  painted.href = "/products";
  painted.setAttribute("role", "button");
  document.body.append(painted);
  await page.user.click(painted);
  expect(page.router.state.navigation.state).toBe("idle");
  painted.removeAttribute("role");
  await page.user.click(painted);
  await waitFor(() => expect(page.router.state.location.pathname).toBe("/products"));
  painted.remove();
});
