import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { replaceDocument } from "../document-navigation";
import { ShopLink } from "./link";

async function follow(from: string, link: { to: string; replace?: boolean }): Promise<string> {
  const router = createMemoryRouter([{ path: "*", element: <ShopLink {...link}>Link</ShopLink> }], {
    initialEntries: [from],
  });
  const { unmount } = render(<RouterProvider router={router} />);
  await userEvent.click(screen.getByRole("link", { name: "Link" }));
  unmount();
  return router.state.historyAction;
}

test("a link adds an entry to the history, unless it leads to the current page or replaces it", async () => {
  expect(await follow("/cart", { to: "/orders" })).toBe("PUSH");
  expect(await follow("/cart", { to: "/cart" })).toBe("REPLACE");
  expect(await follow("/orders", { to: "/profile", replace: true })).toBe("REPLACE");
  expect(replaceDocument).not.toHaveBeenCalled();
  // These pages have different policies.
  await follow("/login", { to: "/register", replace: true });
  expect(replaceDocument).toHaveBeenCalledExactlyOnceWith("/register");
});
