import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { ADMIN_ORDER, errorResponse, openShop, signIn, type MockResponses } from "../../../../test-shop";
import type { Overview } from "../../shared/api";
import type { Dispute, FraudWarning, OrderDisputes } from "./api";

const DISPUTE: Dispute = {
  id: "du_1",
  status: "open",
  needs_response: true,
  response: { due_on: "2026-12-01", days_left: 8 },
  reason: "product_not_received",
  amount: 59.8,
  withdrawn: 59.8,
  reinstated: 0,
  created_at: "2026-11-22T12:00:00.000Z",
  created_at_local: "2026-11-22T07:00:00.000-05:00",
};
const WARNING: FraudWarning = {
  id: "issfr_1",
  fraud_type: "made_with_stolen_card",
  actionable: true,
  created_at: "2026-11-22T12:00:00.000Z",
  created_at_local: "2026-11-22T07:00:00.000-05:00",
};
const EVIDENCE = "GET /api/admin/order/o1/evidence";

beforeEach(() => signIn("admin@nudgelight.example", ["Admin"]));

async function open(disputes: Partial<OrderDisputes>, responses: MockResponses = {}) {
  const page = openShop("/admin/order/o1", {
    "GET /api/admin/order/o1": ADMIN_ORDER,
    "GET /api/admin/order/o1/disputes": { disputes: [], fraud_warnings: [], ...disputes },
    ...responses,
  });
  await screen.findByRole("button", { name: "Edit Order" });
  return page;
}

describe("the disputes of an order", () => {
  test("are shown with the days that are left and the money that the bank took", async () => {
    await open({ disputes: [DISPUTE] });
    for (const text of [
      "Response needed",
      "Respond by 12/01/2026 · 8 days left",
      "The bank withdrew $59.80.",
      "11/22/2026, 7:00 AM",
    ]) {
      expect(screen.getByText(text)).toBeTruthy();
    }
    expect(screen.getByText(/^Product not received/).textContent).toBe("Product not received · $59.80");
  });

  test.each([
    [-3, "Overdue since 12/01/2026"],
    [0, "Respond by 12/01/2026 · today"],
    [1, "Respond by 12/01/2026 · 1 day left"],
  ])("with %i days left say so", async (daysLeft, text) => {
    await open({ disputes: [{ ...DISPUTE, response: { due_on: "2026-12-01", days_left: daysLeft } }] });
    expect(screen.getByText(text)).toBeTruthy();
  });

  test.each([
    [{ status: "warning", needs_response: true }, "Inquiry: response needed"],
    [{ status: "warning", needs_response: false }, "Inquiry under review"],
    [{ status: "open", needs_response: false }, "Under review"],
    [{ status: "won", needs_response: false }, "Won"],
    [{ status: "lost", needs_response: false }, "Lost"],
    [{ status: "none", needs_response: false }, "Inquiry closed"],
  ] as const)("have a label for each state: %o", async (state, label) => {
    const { response: _response, ...rest } = DISPUTE;
    await open({ disputes: [{ ...rest, ...state, reinstated: 59.8 }] });
    expect(screen.getByText(label)).toBeTruthy();
    expect(screen.queryByText(/^Respond by/)).toBeNull();
    expect(screen.getByText("The bank withdrew $59.80 and returned $59.80.")).toBeTruthy();
  });

  test("are nothing to show without any, and a warning alone needs no evidence", async () => {
    const page = await open({});
    expect(screen.queryByRole("heading", { name: "Disputes" })).toBeNull();
    page.unmount();
    await open({ fraud_warnings: [WARNING, { ...WARNING, id: "issfr_2", actionable: false }] });
    expect(screen.getAllByText("Early fraud warning")).toHaveLength(2);
    expect(screen.getByText(/A full refund avoids a dispute/)).toBeTruthy();
    expect(screen.getByText(/^Nothing to do/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Evidence" })).toBeNull();
  });

  test("have their evidence as a download, and a failure is shown", async () => {
    let isAway = true;
    const saved: string[] = [];
    vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:1", revokeObjectURL: () => {} }));
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function save(this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    const page = await open(
      { disputes: [DISPUTE] },
      {
        [EVIDENCE]: () =>
          isAway
            ? errorResponse(503, { error: "Overloaded." })()
            : new Response("<html>", {
                headers: { "Content-Disposition": 'attachment; filename="evidence-1001.html"' },
              }),
      },
    );
    await page.user.click(screen.getByRole("button", { name: "Evidence" }));
    expect(await screen.findByText("Failed to download the evidence. Please try again later.")).toBeTruthy();
    isAway = false;
    await page.user.click(screen.getByRole("button", { name: "Evidence" }));
    await waitFor(() => expect(saved).toEqual(["evidence-1001.html"]));
    await waitFor(() => expect(screen.queryByText(/^Failed to download/)).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Evidence" }));
  });
});

describe("the overview", () => {
  test("lists open disputes in the server's order and leads to their orders", async () => {
    const { response: _response, ...rest } = DISPUTE;
    const overview: Overview = {
      today: { orders: 0, sales: 0 },
      last_7_days: { orders: 0, sales: 0 },
      last_30_days: { orders: 0, sales: 0 },
      days: [{ day: "2026-11-21", orders: 0, sales: 0, page_views: 0 }],
      open_orders: { pending: 0, processing: 0, held: 0, shipped: 0 },
      top_products: [],
      top_pages: [],
      low_stock: [],
      alerts: [],
      disputes: [
        { order_id: "o1", order_number: 1001, dispute: DISPUTE },
        { order_id: "o2", order_number: 1002, dispute: { ...rest, id: "du_2", needs_response: false } },
      ],
    };
    openShop("/admin/overview", { "GET /api/admin/overview": overview });
    const card = (await screen.findByRole("heading", { name: "Open disputes" })).closest("section");
    const entries = within(card as HTMLElement).getAllByRole("listitem");
    expect(entries.map((entry) => entry.textContent)).toEqual([
      "Order 1001Product not received · $59.80Respond by 12/01/2026 · 8 days left",
      "Order 1002Product not received · $59.80Under review",
    ]);
    expect(screen.getByRole("link", { name: "Order 1002" }).getAttribute("href")).toBe("/admin/order/o2");
  });
});
