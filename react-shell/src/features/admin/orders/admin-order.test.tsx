import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import {
  ADMIN_ORDER,
  NO_REFUNDS,
  offline,
  openShop,
  ORDER,
  errorResponse,
  signIn,
  type MockResponses,
} from "../../../test-shop";
import type { OrderAlert } from "../../../shared/rules";
import type { AdminOrder } from "./api";

const FIND = "GET /api/admin/order/o1";
const SAVE = "PATCH /api/admin/order/o1";
const OPENED: AdminOrder = {
  ...ADMIN_ORDER,
  history: [
    {
      created_at: "2026-11-21T12:00:00.000Z",
      created_at_local: "2026-11-21T12:00:00.000Z",
      actor: "ada@example.com",
      kind: "placed",
      message: "Order placed and paid",
    },
    {
      created_at: "2026-11-21T13:05:00.000Z",
      created_at_local: "2026-11-21T08:05:00.000-05:00",
      actor: "admin@nudgelight.example",
      kind: "tracking_number_set",
      message: "Tracking number set to T1",
    },
  ],
};

function openAlert(id: string, message: string): OrderAlert {
  const createdAt = "2026-11-21T13:05:00.000Z";
  return { id, kind: "dispute_opened", message, created_at: createdAt, created_at_local: createdAt };
}

const THEIRS: AdminOrder = { ...OPENED, status: "delivered", tracking_number: "THEIR-NUMBER", version: 9 };
const CONFLICT = errorResponse(409, { error: "Changed.", code: "EditConflict", details: { current: THEIRS } });

beforeEach(() => signIn("admin@nudgelight.example", ["Admin"]));

async function open(order: AdminOrder, responses: MockResponses = {}) {
  const page = openShop("/admin/order/o1", { [FIND]: order, ...responses });
  await screen.findByRole("button", { name: "Edit Order" });
  return page;
}

async function edit(responses: MockResponses) {
  const page = await open(OPENED, responses);
  await page.user.click(screen.getByRole("button", { name: "Edit Order" }));
  fireEvent.change(screen.getByLabelText("Status"), { target: { value: "shipped" } });
  return page;
}

describe("an order in the admin area", () => {
  // spec: admins only | Admin order detail
  test("shows its items and money, its customer and addresses, and what was done to it, the latest first", async () => {
    await open({ ...OPENED, tracking_number: "1Z999AA10123456784" });
    for (const text of ["Nudgelight One", "$49.98", "$59.80", "Same as shipping address", "Payment: Paid"]) {
      expect(screen.getAllByText(text)).not.toHaveLength(0);
    }
    expect(screen.getByRole("link", { name: "ada@example.com" }).getAttribute("href")).toBe("mailto:ada@example.com");
    expect(screen.getByRole("link", { name: /Track with UPS/ }).getAttribute("href")).toContain("ups.com");
    const entries = screen.getAllByRole("listitem").filter((item) => item.querySelector("time"));
    expect(entries.map((item) => item.querySelector("p")?.textContent)).toEqual([
      "Tracking number set to T1",
      "Order placed and paid",
    ]);
    expect(entries[0]?.textContent).toContain("11/21/2026, 8:05 AM · admin@nudgelight.example");
  });

  // spec: No items found for this order.
  test("without items says so", async () => {
    await open({ ...OPENED, items: [] });
    expect(screen.getByText("No items found for this order.")).toBeTruthy();
  });

  test("that is not there, or cannot be had, is told", async () => {
    openShop("/admin/order/o1", { [FIND]: errorResponse(404, { error: "Order not found", code: "NotFound" }) });
    expect((await screen.findByRole("alert")).textContent).toBe("Order not found.");
    openShop("/admin/order/o1", { [FIND]: offline });
    expect(await screen.findByText("Failed to fetch order details. Please try again later.")).toBeTruthy();
  });

  test.each([
    ["pending", "Mark as Processing", "processing"],
    ["shipped", "Mark as Delivered", "delivered"],
  ] as const)("that is %s goes on by the button %s", async (status, button, next) => {
    const page = await open({ ...OPENED, status }, { [SAVE]: OPENED });
    await page.user.click(screen.getByRole("button", { name: button }));
    expect(await screen.findByText("Changes saved.")).toBeTruthy();
    expect(page.sent(SAVE)[0]?.body).toEqual({ status: next, restock: false, version: 3 });
  });

  describe("that is to be shipped", () => {
    async function ship(responses: MockResponses = {}) {
      let order: AdminOrder = { ...OPENED, status: "processing" };
      const page = await open(order, {
        [FIND]: () => Response.json(order),
        [SAVE]: () => {
          order = { ...order, status: "shipped", version: 4 };
          return Response.json(order);
        },
        ...responses,
      });
      await page.user.click(screen.getByRole("button", { name: "Mark as Shipped" }));
      return { page, dialog: within(screen.getByRole("dialog", { name: "Ship order 1001" })) };
    }

    test("is saved once by a double click", async () => {
      const { page, dialog } = await ship();
      await page.user.dblClick(dialog.getByRole("button", { name: "Mark as Shipped" }));
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
      expect(page.sent(SAVE)).toHaveLength(1);
    });

    test("takes a tracking number and Enter, and names the carrier as it is typed", async () => {
      const { page, dialog } = await ship();
      expect(document.activeElement).toBe(dialog.getByLabelText(/^Tracking Number/));
      expect(dialog.getByRole("status").textContent).toBe("The carrier is detected from the number.");
      await page.user.keyboard("1Z999AA1012345678");
      expect(dialog.getByRole("status").textContent).toMatch(/^Unknown carrier/);
      await page.user.keyboard("4");
      expect(dialog.getByRole("status").textContent).toBe("Carrier: UPS");
      await page.user.keyboard("{Enter}");
      expect(await screen.findByText("Changes saved.")).toBeTruthy();
      expect(page.sent(SAVE)[0]?.body).toEqual({
        status: "shipped",
        tracking_number: "1Z999AA10123456784",
        check_tracking_number: true,
        restock: false,
        notify_customer: true,
        version: 3,
      });
      expect(screen.queryByRole("dialog")).toBeNull();
      // Not on the next button: a second scan's Enter would mark the order as delivered.
      await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 })));
    });

    test("shows what is doubtful about a tracking number, and ships with it anyway once that is chosen", async () => {
      const message = "Order 1002 has the same tracking number. Compare it with the label.";
      const doubtful = { error: "Invalid.", code: "ValidationError", fields: { tracking_number: message } };
      const responses = [errorResponse(400, doubtful), () => Response.json({ ...OPENED, status: "shipped" })];
      const { page, dialog } = await ship({ [SAVE]: () => responses.shift()?.() ?? Response.error() });
      expect(dialog.queryByLabelText("Use this tracking number anyway")).toBeNull();
      await page.user.keyboard("1Z999AA10123456784{Enter}");
      expect((await dialog.findAllByText(message)).length).toBeGreaterThan(0);
      await page.user.click(dialog.getByLabelText("Use this tracking number anyway"));
      await page.user.click(dialog.getByRole("button", { name: "Mark as Shipped" }));
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
      expect(page.sent(SAVE)[0]?.body).toMatchObject({ check_tracking_number: true });
      expect(page.sent(SAVE)[1]?.body).toMatchObject({ check_tracking_number: false });
    });

    test("keeps what was typed while the shop can't be reached", async () => {
      const finds = [() => Response.json({ ...OPENED, status: "processing" })];
      const { page, dialog } = await ship({ [FIND]: () => (finds.shift() ?? offline)(), [SAVE]: offline });
      await page.user.keyboard("1Z999AA10123456784{Enter}");
      expect(await dialog.findByText("Failed to save changes")).toBeTruthy();
      expect(dialog.getByLabelText<HTMLInputElement>(/^Tracking Number/).value).toBe("1Z999AA10123456784");
      expect(page.sent(FIND)).toHaveLength(1);
    });

    test("goes without a number and without an email, if so chosen", async () => {
      const { page, dialog } = await ship();
      await page.user.click(dialog.getByLabelText("Email the customer"));
      await page.user.click(dialog.getByRole("button", { name: "Mark as Shipped" }));
      await waitFor(() => expect(page.sent(SAVE)).toHaveLength(1));
      expect(page.sent(SAVE)[0]?.body).toMatchObject({ tracking_number: "", notify_customer: false });
    });

    test("stays as it is on Cancel, with the focus back on the button", async () => {
      const { page, dialog } = await ship();
      await page.user.click(dialog.getByRole("button", { name: "Cancel" }));
      const button = screen.getByRole("button", { name: "Mark as Shipped" });
      await waitFor(() => expect(document.activeElement).toBe(button));
      expect(page.sent(SAVE)).toHaveLength(0);
    });

    test("names a number that is too long, and sends nothing", async () => {
      const { page, dialog } = await ship();
      fireEvent.change(dialog.getByLabelText(/^Tracking Number/), { target: { value: "9".repeat(300) } });
      await page.user.click(dialog.getByRole("button", { name: "Mark as Shipped" }));
      expect(dialog.getByLabelText(/^Tracking Number/).getAttribute("aria-invalid")).toBe("true");
      expect(page.sent(SAVE)).toHaveLength(0);
    });

    test("keeps the tracking number that someone else saved meanwhile, if it is left empty", async () => {
      const theirs: AdminOrder = { ...OPENED, status: "processing", tracking_number: "THEIR-NUMBER", version: 9 };
      const { page, dialog } = await ship({
        [SAVE]: errorResponse(409, { error: "Changed.", code: "EditConflict", details: { current: theirs } }),
      });
      await page.user.click(dialog.getByRole("button", { name: "Mark as Shipped" }));
      await waitFor(() => expect(page.sent(SAVE).length).toBeGreaterThan(1));
      expect(page.sent(SAVE)[1]?.body).toMatchObject({
        status: "shipped",
        tracking_number: "THEIR-NUMBER",
        version: 9,
      });
    });

    test("shows both versions if someone else changed it meanwhile", async () => {
      const { page, dialog } = await ship({ [SAVE]: CONFLICT });
      await page.user.keyboard("MINE-1{Enter}");
      const notice = within(await dialog.findByRole("alert"));
      expect(notice.getByText("THEIR-NUMBER")).toBeTruthy();
      await page.user.click(notice.getByRole("button", { name: "Keep Mine" }));
      await waitFor(() => expect(page.sent(SAVE)).toHaveLength(2));
      expect(page.sent(SAVE)[1]?.body).toMatchObject({ status: "shipped", tracking_number: "MINE-1", version: 9 });
    });
  });

  test("that goes on to its last step leaves the focus in the header", async () => {
    let order: AdminOrder = { ...OPENED, status: "shipped" };
    const page = await open(order, {
      [FIND]: () => Response.json(order),
      [SAVE]: () => {
        order = { ...order, status: "delivered" };
        return Response.json(order);
      },
    });
    await page.user.click(screen.getByRole("button", { name: "Mark as Delivered" }));
    await screen.findByText("Changes saved.");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Edit Order" })));
  });

  test("that has arrived has no next step", async () => {
    await open({ ...OPENED, status: "delivered" });
    expect(screen.queryByRole("button", { name: /^Mark as/ })).toBeNull();
  });

  test("shows each of its alerts until an administrator has resolved it", async () => {
    const [dispute, refund] = [
      openAlert("a1", "The customer disputes the payment."),
      openAlert("a2", "A refund failed at the customer's bank."),
    ];
    let order: AdminOrder = { ...OPENED, alerts: [dispute, refund] };
    const page = openShop("/admin/order/o1", {
      [FIND]: () => Response.json(order),
      "POST /api/admin/alerts/a1/resolve": () => {
        order = { ...order, alerts: [refund] };
        return new Response(null, { status: 204 });
      },
      "POST /api/admin/alerts/a2/resolve": () => {
        order = OPENED;
        return new Response(null, { status: 204 });
      },
    });
    expect((await screen.findByRole("alert")).textContent).toContain("The customer disputes the payment.");
    await page.user.click(screen.getByRole("button", { name: `Resolve: ${dispute.message}` }));
    await waitFor(() => expect(screen.queryByText(dispute.message)).toBeNull());
    expect(screen.getByRole("alert").textContent).toContain(refund.message);
    await page.user.click(screen.getByRole("button", { name: `Resolve: ${refund.message}` }));
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 })));
  });
});

describe("the editor of an order", () => {
  // spec: an Edit Order mode with Save Changes
  // spec: status, address, tracking_number
  test("saves status, address, tracking number and the version that was opened", async () => {
    const page = await edit({ [SAVE]: { ...OPENED, status: "shipped", version: 4 } });
    await page.user.type(screen.getByLabelText(/^Tracking Number/), "1Z999AA10123456784");
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    expect(await screen.findByText("Changes saved.")).toBeTruthy();
    expect(page.sent(SAVE)[0]?.body).toEqual({
      status: "shipped",
      address: ORDER.address,
      tracking_number: "1Z999AA10123456784",
      check_tracking_number: true,
      notify_customer: true,
      restock: false,
      version: 3,
    });
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Edit Order" })));
  });

  test("emails a shipment to the customer unless the box is cleared", async () => {
    const page = await edit({ [SAVE]: { ...OPENED, version: 4 } });
    await page.user.selectOptions(screen.getByLabelText("Status"), "delivered");
    expect(screen.queryByLabelText("Email the customer")).toBeNull();
    await page.user.selectOptions(screen.getByLabelText("Status"), "shipped");
    await page.user.click(screen.getByLabelText("Email the customer"));
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    await waitFor(() => expect(page.sent(SAVE)[0]?.body).toMatchObject({ notify_customer: false }));
  });

  // spec: Cancel
  test("leaves everything as it was on Cancel", async () => {
    const page = await edit({});
    await page.user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.queryByRole("button", { name: "Save Changes" })).toBeNull();
    expect(page.sent(SAVE)).toHaveLength(0);
    await page.user.click(screen.getByRole("button", { name: "Edit Order" }));
    expect(screen.getByLabelText("Status")).toHaveProperty("value", "pending");
  });

  test("names what is wrong beside its field before anything is sent", async () => {
    const page = await edit({});
    await page.user.clear(screen.getByLabelText("City"));
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    expect(screen.getByLabelText("City").getAttribute("aria-invalid")).toBe("true");
    expect(page.sent(SAVE)).toHaveLength(0);
  });

  test("takes another status while a field is marked as invalid", async () => {
    const page = await edit({});
    await page.user.clear(screen.getByLabelText("City"));
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    await page.user.selectOptions(screen.getByLabelText("Status"), "delivered");
    expect(screen.getByLabelText("Status")).toHaveProperty("value", "delivered");
  });

  // spec: Failed to save changes
  test("says Failed to save changes, and why", async () => {
    const unavailable = { error: "The provider is unavailable.", code: "PaymentProviderUnavailable" };
    const page = await edit({ [SAVE]: errorResponse(503, unavailable) });
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    const notice = await screen.findByRole("alert");
    expect(notice.textContent).toBe("Failed to save changesThe provider is unavailable.");
  });
});

describe("an order that someone else changed meanwhile", () => {
  async function collide() {
    const page = await edit({ [SAVE]: CONFLICT });
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    const notice = within(await screen.findByRole("alert"));
    return { page, notice };
  }

  test("is shown in both versions, where both changed it", async () => {
    const { notice } = await collide();
    expect(notice.getByText("Failed to save changes")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Save Changes" })).toBeNull();
    expect(notice.getByRole("button", { name: "Cancel" })).toBeTruthy();
    expect(document.activeElement?.contains(notice.getByText("Failed to save changes"))).toBe(true);
    expect(document.activeElement).not.toBe(document.body);
    const rows = notice.getAllByRole("row").map((row) => [...row.children].map((cell) => cell.textContent));
    expect(rows).toEqual([["Yours", "Theirs"], ["Status"], ["Shipped", "Delivered"]]);
  });

  test("keeps their changes of what was not edited, if one's own is to be kept", async () => {
    const { page, notice } = await collide();
    await page.user.click(notice.getByRole("button", { name: "Keep Mine" }));
    await waitFor(() => expect(page.sent(SAVE)).toHaveLength(2));
    expect(page.sent(SAVE)[1]?.body).toEqual({
      status: "shipped",
      address: ORDER.address,
      tracking_number: "THEIR-NUMBER",
      check_tracking_number: true,
      notify_customer: true,
      restock: false,
      version: 9,
    });
  });

  test("is saved with both changes and without a question, if they changed something else", async () => {
    const theirs = { ...OPENED, tracking_number: "THEIR-NUMBER", version: 9 };
    const responses = [
      errorResponse(409, { error: "Changed.", code: "EditConflict", details: { current: theirs } }),
      () => Response.json({ ...theirs, status: "shipped" }),
    ];
    const page = await edit({ [SAVE]: () => responses.shift()?.() });
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    await screen.findByText("Changes saved. Someone else’s changes were kept: Tracking number.");
    expect(page.sent(SAVE)[1]?.body).toMatchObject({ status: "shipped", tracking_number: "THEIR-NUMBER", version: 9 });
    expect(screen.queryByText("Keep Mine")).toBeNull();
  });

  test("gets the rest of one's own edit, if theirs is to be taken", async () => {
    const page = await edit({ [SAVE]: CONFLICT });
    fireEvent.change(screen.getByLabelText("City"), { target: { value: "Beverly Hills" } });
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    const notice = within(await screen.findByRole("alert"));
    page.responses[SAVE] = THEIRS;
    await page.user.click(notice.getByRole("button", { name: "Take Theirs" }));
    await waitFor(() => expect(page.sent(SAVE)).toHaveLength(2));
    expect(page.sent(SAVE)[1]?.body).toMatchObject({
      status: "delivered",
      address: { address: { city: "Beverly Hills" } },
      tracking_number: "THEIR-NUMBER",
      version: 9,
    });
  });

  test("asks for the address as a whole, because half of two addresses is none", async () => {
    const place = { ...ORDER.address.address, line1: "9 Elm St" };
    const current = { ...OPENED, address: { ...ORDER.address, address: place }, version: 9 };
    const page = await open(OPENED, {
      [SAVE]: errorResponse(409, { error: "Changed.", code: "EditConflict", details: { current } }),
    });
    await page.user.click(screen.getByRole("button", { name: "Edit Order" }));
    fireEvent.change(screen.getByLabelText("City"), { target: { value: "Beverly Hills" } });
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    const notice = within(await screen.findByRole("alert"));
    expect(notice.getByText("12 Front St, Beverly Hills, CA 90210, US")).toBeTruthy();
    expect(notice.getByText("9 Elm St, Los Angeles, CA 90210, US")).toBeTruthy();
  });

  test("is left to them, if theirs is to be taken", async () => {
    const { page, notice } = await collide();
    const loads = page.sent(FIND).length;
    await page.user.click(notice.getByRole("button", { name: "Take Theirs" }));
    await waitFor(() => expect(page.sent(FIND).length).toBeGreaterThan(loads));
    expect(screen.queryByRole("button", { name: "Save Changes" })).toBeNull();
    expect(screen.queryByRole("alert")).toBeNull();
    expect(page.sent(SAVE)).toHaveLength(1);
  });

  test("is shown in both versions after the button for the next step as well", async () => {
    const page = await open(OPENED, { [SAVE]: CONFLICT });
    await page.user.click(screen.getByRole("button", { name: "Mark as Processing" }));
    const notice = within(await screen.findByRole("alert"));
    page.responses[SAVE] = THEIRS;
    await page.user.click(notice.getByRole("button", { name: "Keep Mine" }));
    await waitFor(() => expect(page.sent(SAVE)).toHaveLength(2));
    expect(page.sent(SAVE)[1]?.body).toEqual({ status: "processing", restock: false, version: 9 });
  });
});

describe("a refund", () => {
  test("of an order that is edited asks first, and carries the rest of the edit along", async () => {
    const page = await edit({ [SAVE]: OPENED });
    fireEvent.change(screen.getByLabelText("Status"), { target: { value: "refunded" } });
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    expect(page.sent(SAVE)).toHaveLength(0);
    await page.user.click(screen.getByRole("button", { name: "Refund $59.80" }));
    await waitFor(() => expect(page.sent(SAVE)).toHaveLength(1));
    expect(page.sent(SAVE)[0]?.body).toMatchObject({ status: "refunded", restock: false, address: ORDER.address });
  });

  test("cannot be asked for again", async () => {
    await open({ ...OPENED, status: "refunded", payment: { status: "refunded", refunded: 59.8, dispute: "none" } });
    expect(screen.queryByRole("button", { name: "Refund…" })).toBeNull();
    expect(screen.getByText("-$59.80")).toBeTruthy();
  });
});

describe("an order that owes less than was bought", () => {
  const one = ORDER.items.map((item) => Object.assign({}, item, { quantity: 1 }));

  test.each([
    [one, "To pack: 1 of 2"],
    [[], "Refunded: don’t pack"],
  ])("says what to pack: %o", async (owed, text) => {
    await open({ ...OPENED, status: "pending", owed });
    expect(screen.getByText(text)).toBeTruthy();
  });

  test.each(["pending", "processing"] as const)("isn’t shipped if it owes nothing: %s", async (status) => {
    await open({ ...OPENED, status, owed: [] });
    expect(screen.getByRole("button", { name: "Edit Order" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Mark as/ })).toBeNull();
  });

  test("says nothing once it has shipped", async () => {
    await open({ ...OPENED, status: "shipped", owed: one });
    expect(screen.queryByText(/^To pack/)).toBeNull();
  });
});

describe("an order on hold", () => {
  const RELEASE = "POST /api/admin/order/o1/ship-anyway";
  const HELD: AdminOrder = { ...OPENED, status: "pending", hold: "fraud_warning" };

  test("says why, and is released after a confirmation", async () => {
    let order = HELD;
    const page = await open(order, {
      [FIND]: () => Response.json(order),
      [RELEASE]: () => {
        const { hold: _hold, ...released } = order;
        order = released;
        return Response.json(order);
      },
    });
    expect(await screen.findByText("On hold: early fraud warning")).toBeTruthy();
    await page.user.click(screen.getByRole("button", { name: "Ship Anyway…" }));
    const dialog = within(screen.getByRole("dialog", { name: "Ship order 1001 anyway?" }));
    expect(page.sent(RELEASE)).toHaveLength(0);
    await page.user.click(dialog.getByRole("button", { name: "Ship Anyway" }));
    await waitFor(() => expect(screen.queryByText(/^On hold/)).toBeNull());
    expect(page.sent(RELEASE).map(({ body }) => body)).toEqual([{ hold: "fraud_warning" }]);
  });

  test("stays on hold if another cause has come meanwhile, and says so", async () => {
    let order = HELD;
    const page = await open(order, {
      [FIND]: () => Response.json(order),
      [RELEASE]: () => {
        order = { ...HELD, hold: "dispute" };
        const body = { error: "This order was changed by someone else.", code: "EditConflict" };
        return Response.json(body, { status: 409 });
      },
    });
    await page.user.click(screen.getByRole("button", { name: "Ship Anyway…" }));
    await page.user.click(screen.getByRole("button", { name: "Ship Anyway" }));
    expect(await screen.findByText("This order was changed by someone else.")).toBeTruthy();
    expect(await screen.findByText("On hold: open dispute")).toBeTruthy();
  });
});

describe("a disputed order", () => {
  test.each([
    ["dispute", /^The customer’s bank holds the money until it decides/],
    ["lost_dispute", /^The dispute was lost and the customer already has the money/],
  ])("says why nothing can be refunded: %s", async (blocked, reason) => {
    const refunds = { ...NO_REFUNDS, left: { ...NO_REFUNDS.left, blocked } };
    const page = await open(OPENED, { "GET /api/admin/order/o1/refunds": refunds });
    await page.user.click(screen.getByRole("button", { name: "Refund…" }));
    const dialog = within(screen.getByRole("dialog", { name: "Order 1001 can’t be refunded" }));
    expect(dialog.getByText(reason)).toBeTruthy();
    await page.user.keyboard("{Escape}");
    await page.user.click(screen.getByRole("button", { name: "Edit Order" }));
    expect(screen.queryByRole("option", { name: "Refunded" })).toBeNull();
    expect(screen.getByText(reason)).toBeTruthy();
  });
});
