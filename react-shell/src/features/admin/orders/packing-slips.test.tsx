import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { errorResponse, offline, openShop, signIn, type MockResponses } from "../../../test-shop";

const SLIPS = "GET /api/admin/packing-slips";
const HTML = '<section class="sheet packing-slip"><h2>Order 1001</h2></section>';

beforeEach(() => signIn("admin@nudgelight.example", ["Admin"]));

function openSlips(responses: MockResponses = { [SLIPS]: () => new Response(HTML) }) {
  return openShop("/admin/packing-slips?numbers=1001&page=2", responses);
}

describe("packing slips", () => {
  test("are those of the selected orders, on the paper chosen last", async () => {
    const page = openSlips();
    await screen.findByRole("heading", { name: "Order 1001" });
    expect(page.sent(`${SLIPS}?numbers=1001`)).toHaveLength(1);
    const rule = () => [...document.querySelectorAll("style")].map((style) => style.textContent).join("");
    expect(rule()).toContain("size: letter");
    await page.user.selectOptions(screen.getByLabelText("Paper size"), "4x6");
    expect(rule()).toContain("size: 4in 6in");
    const sheets = document.querySelector<HTMLElement>(".paper");
    expect(sheets?.dataset).toMatchObject({ paper: "4x6", parts: "all" });
    await page.user.selectOptions(screen.getByLabelText("Print"), "pick-list");
    expect(sheets?.dataset["parts"]).toBe("pick-list");
    page.unmount();
    openSlips();
    expect(await screen.findByLabelText("Paper size")).toHaveProperty("value", "4x6");
  });

  const DOCUMENT = [1001, 1002]
    .map((number) => `<section data-order="${number}"><h2>NL-${number}</h2></section>`)
    .join("");
  const PREVIEW = "GET /api/admin/order-status/preview";
  const UPDATE = "PATCH /api/admin/order-status";
  const pending = { number: 1001, version: 1, status: "pending" };

  test("offer to mark the printed pending orders as processing, with an undo, and stay as they are", async () => {
    const page = openSlips({
      [SLIPS]: () => new Response(DOCUMENT),
      [PREVIEW]: { orders: [pending, { ...pending, number: 1002, status: "shipped" }], unchanged: 0, refunded: 0 },
      [UPDATE]: { changed: [{ number: 1001, version: 2 }], conflicts: [] },
    });
    await page.user.click(await screen.findByRole("button", { name: "Mark 1 Order as Processing" }));
    await screen.findByText("1 order changed to Processing.");
    expect(page.sent(`${PREVIEW}?numbers=1001%2C1002&to=processing`).length).toBeGreaterThan(0);
    expect(page.sent(`${SLIPS}?numbers=1001`)).toHaveLength(1);
    expect(screen.getByText("NL-1002")).toBeTruthy();
    page.responses[UPDATE] = { changed: [{ number: 1001, version: 3 }], conflicts: [] };
    await page.user.click(screen.getByRole("button", { name: "Undo" }));
    await screen.findByText("1 order changed back.");
    expect(page.sent(UPDATE).map(({ body }) => (body as { orders: unknown }).orders)).toEqual([
      [{ number: 1001, version: 1, status: "processing" }],
      [{ number: 1001, version: 2, status: "pending" }],
    ]);
    expect(await screen.findByRole("button", { name: "Mark 1 Order as Processing" })).toBeTruthy();
  });

  test("offer the labels of the same orders in the same order", async () => {
    vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL: () => undefined }));
    const page = openShop("/admin/packing-slips?status=pending&sort=oldest", {
      [SLIPS]: () => new Response(DOCUMENT),
      [PREVIEW]: { orders: [], unchanged: 0, refunded: 0 },
      "GET /api/admin/orders.csv": () => new Response("Order ID"),
    });
    await page.user.click(await screen.findByRole("button", { name: "Labels CSV" }));
    const dialog = within(screen.getByRole("dialog", { name: "Labels CSV" }));
    expect(dialog.getAllByRole("option").map((option) => option.textContent)).toEqual([
      "Labels: Pirate Ship",
      "Labels: ShipStation",
      "Labels: Canada Post",
    ]);
    await page.user.click(dialog.getByRole("button", { name: "Export" }));
    await waitFor(() =>
      expect(page.sent("GET /api/admin/orders.csv?numbers=1001%2C1002&sort=oldest&columns=pirate_ship")).toHaveLength(
        1,
      ),
    );
  });

  test("are printed", async () => {
    const print = vi.fn<() => void>();
    vi.stubGlobal("print", print);
    const page = openSlips();
    await page.user.click(await screen.findByRole("button", { name: "Print" }));
    await waitFor(() => expect(print).toHaveBeenCalledOnce());
  });

  test("that are too many, or cannot be had, are told", async () => {
    const fields = { numbers: "At most 200 packing slips are printed at once. Select fewer orders." };
    openSlips({ [SLIPS]: errorResponse(400, { error: "Invalid.", code: "InvalidRequest", fields }) });
    expect((await screen.findByRole("alert")).textContent).toBe(fields.numbers);
  });

  test("that cannot be had are told, and can be asked for again", async () => {
    openSlips({ [SLIPS]: offline });
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toBe("Couldn’t load packing slips. Please try again later.");
    expect(screen.getByRole("button", { name: "Try Again" })).toBeTruthy();
  });
});
