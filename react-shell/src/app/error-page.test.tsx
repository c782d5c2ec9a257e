import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect, type ReactNode } from "react";
import { createMemoryRouter, Link, RouterProvider } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { NetworkError } from "../shared/api-client";
import { ErrorPage, logPageError } from "./error-page";

const log = vi.spyOn(console, "error").mockImplementation(() => undefined);

beforeEach(() => log.mockClear());

const DEFECT = new TypeError("l is not a function");

function Nothing(): ReactNode {
  return null;
}

function FailsWhileRendering(): never {
  throw DEFECT;
}

function FailsInEffect(): ReactNode {
  useEffect(() => {
    throw DEFECT;
  }, []);
  return <p>Shown for a moment</p>;
}

function FailsInCleanup() {
  useEffect(
    () => () => {
      throw DEFECT;
    },
    [],
  );
  return <Link to="/other">Leave</Link>;
}

/** Opens a page beside one that works. */
function open(page: { Component?: () => ReactNode; loader?: () => unknown }) {
  const children = [
    { path: "/", ...page },
    { path: "/other", Component: () => <h1>Another page</h1> },
    { path: "/cart", Component: () => <h1>Cart</h1> },
  ];
  const router = createMemoryRouter([{ ErrorBoundary: ErrorPage, children }]);
  const ignore = { onCaughtError: () => undefined };
  return { router, ...render(<RouterProvider router={router} onError={logPageError} />, ignore) };
}

test.each([
  ["while rendering", { Component: FailsWhileRendering }],
  ["in an effect", { Component: FailsInEffect }],
  ["in its loader", { Component: Nothing, loader: () => Promise.reject(DEFECT) }],
])("a view that fails %s shows the error page, logged once, and the cart is one press away", async (_, page) => {
  open(page);
  await screen.findByRole("heading", { name: "Something went wrong" });
  const alert = screen.getByRole("alert");
  expect(alert.textContent).toContain("This page couldn’t be shown. Your cart is unchanged.");
  expect(document.body.textContent).not.toContain("connection");
  expect(screen.getByRole("button", { name: "Try Again" })).toBeTruthy();
  expect(log.mock.calls).toEqual([[DEFECT]]);
  await userEvent.click(within(document.body).getByRole("link", { name: "View Cart" }));
  await screen.findByRole("heading", { name: "Cart" });
  expect(screen.queryByText("Something went wrong")).toBeNull();
});

test("a view that fails in a cleanup is logged once, and the next navigation is clean", async () => {
  const { router } = open({ Component: FailsInCleanup });
  await userEvent.click(screen.getByRole("link", { name: "Leave" }));
  await screen.findByRole("heading", { name: "Something went wrong" });
  expect(log.mock.calls).toEqual([[DEFECT]]);
  await router.navigate("/cart");
  await screen.findByRole("heading", { name: "Cart" });
});

test("a page that could not be loaded says to check the connection", async () => {
  open({ Component: Nothing, loader: () => Promise.reject(new NetworkError(new TypeError("Failed to fetch"))) });
  expect((await screen.findByRole("alert")).textContent).toContain("Check your connection and try again.");
  expect(log).not.toHaveBeenCalled();
});
