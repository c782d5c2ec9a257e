import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { CONFIG, openShop } from "../test-shop";

const ANNOUNCEMENT = { id: "a1", text: "Order by December 18.", link: "/products" };
const announcing = (announcement: object) => ({ "GET /api/config": { ...CONFIG, announcement } });
const findBar = () => screen.findByRole("complementary", { name: "Announcement" });
const queryBar = () => screen.queryByRole("complementary", { name: "Announcement" });

describe("the announcement bar", () => {
  test("is above the header, links, and is announced", async () => {
    openShop("/about", announcing(ANNOUNCEMENT));
    const bar = await findBar();
    expect(bar.compareDocumentPosition(screen.getByRole("banner"))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    const link = await within(bar).findByRole("link", { name: ANNOUNCEMENT.text });
    expect(link.getAttribute("href")).toBe("/products");
    expect(within(bar).getByRole("status").textContent).toBe(ANNOUNCEMENT.text);
  });

  test("stays dismissed until there is another announcement, and the focus goes to the page", async () => {
    const first = openShop("/about", announcing(ANNOUNCEMENT));
    await first.user.click(within(await findBar()).getByRole("button", { name: "Dismiss" }));
    expect(queryBar()).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 })));
    first.unmount();
    expect(localStorage.getItem("dismissedAnnouncement")).toBe("a1");
  });

  test("is not on the pages of an account", async () => {
    const page = openShop("/about", announcing({ ...ANNOUNCEMENT, link: null }));
    expect(within(await findBar()).queryByRole("link")).toBeNull();
    await page.router.navigate("/login");
    await waitFor(() => expect(queryBar()).toBeNull());
    await page.router.navigate("/cart");
    expect(await findBar()).toBeTruthy();
  });
});
