import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import {
  ADMIN_ORDER,
  errorResponse,
  findDialog,
  NO_REFUNDS,
  openShop,
  signIn,
  type MockResponses,
} from "../../../../test-shop";
import type { AdminOrder } from "../api";
import type { OrderRefunds, RefundParts } from "./api";

const FIND = "GET /api/admin/order/o1";
const LIST = "GET /api/admin/order/o1/refunds";
const PREVIEW = "POST /api/admin/order/o1/refunds/preview";
const REFUND = "POST /api/admin/order/o1/refunds";

const RATE = { percentage_decimal: "7.25", country: "US", state: "CA", tax_type: "sales_tax" };
const WHOLE: RefundParts = {
  amount: 59.8,
  subtotal: 49.98,
  shipping: 6.2,
  tax: 3.62,
  tax_breakdown: [{ amount: 362, tax_rate_details: RATE }],
};
const ONE: RefundParts = {
  amount: 26.8,
  subtotal: 24.99,
  shipping: 0,
  tax: 1.81,
  tax_breakdown: [{ amount: 181, tax_rate_details: RATE }],
};
const MADE = {
  id: "r1",
  state: "done" as const,
  created_at: "2026-11-21T14:00:00.000Z",
  created_at_local: "2026-11-21T14:00:00.000Z",
  actor: "admin@nudgelight.example",
  parts: ONE,
};
const ONE_REFUNDED: OrderRefunds = {
  ...NO_REFUNDS,
  refunds: [{ ...MADE, lines: [{ product_id: "p1", product_name: "Nudgelight One", price: 24.99, quantity: 1 }] }],
  left: {
    ...NO_REFUNDS.left,
    amount: 33,
    lines: [{ product_id: "p1", product_name: "Nudgelight One", price: 24.99, quantity: 1 }],
  },
};

beforeEach(() => signIn("admin@nudgelight.example", ["Admin"]));

async function open(responses: MockResponses = {}) {
  const page = openShop("/admin/order/o1", { [FIND]: ADMIN_ORDER, [PREVIEW]: WHOLE, ...responses });
  await page.user.click(await screen.findByRole("button", { name: "Refund…" }));
  return { ...page, dialog: within(await findDialog("Refund order 1001?")) };
}

describe("the refund dialog", () => {
  test("starts with nothing, and chooses everything that is left with one press", async () => {
    const { user, dialog, sent } = await open({ [REFUND]: { ...MADE, parts: WHOLE, lines: [] } });
    expect(dialog.getByLabelText(/^Nudgelight One/)).toHaveProperty("value", "0");
    expect(dialog.getByLabelText("Refund shipping ($6.20)")).toHaveProperty("checked", false);
    expect(dialog.getByText("Choose items, shipping, or an amount.")).toBeTruthy();
    expect(dialog.getByRole("button", { name: "Refund" }).getAttribute("aria-disabled")).toBe("true");
    expect(sent(PREVIEW)).toHaveLength(0);
    await user.click(dialog.getByRole("button", { name: "Refund everything" }));
    await user.click(await dialog.findByRole("button", { name: "Refund $59.80" }));
    expect(await screen.findByText("Refunded $59.80.")).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
    const request = { lines: [{ product_id: "p1", quantity: 2 }], shipping: true, restock: false, refunded: 0 };
    expect(sent(PREVIEW)[0]?.body).toEqual(request);
    expect(sent(REFUND).map(({ body }) => body)).toEqual([request]);
  });

  test("refunds one of two items, with its tax, and restocks it", async () => {
    const { user, dialog, sent } = await open({ [PREVIEW]: ONE, [REFUND]: { ...MADE, lines: [] } });
    await user.click(dialog.getByRole("button", { name: "One more Nudgelight One" }));
    await user.click(dialog.getByLabelText("Restock the items"));
    await waitFor(() =>
      expect(sent(PREVIEW).at(-1)?.body).toEqual({
        lines: [{ product_id: "p1", quantity: 1 }],
        shipping: false,
        restock: true,
        refunded: 0,
      }),
    );
    await dialog.findByText("Sales tax (7.25%)");
    expect(dialog.getByText("$1.81")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Refund $26.80" }));
    await screen.findByText("Refunded $26.80.");
    expect(sent(REFUND)[0]?.body).toEqual(sent(PREVIEW).at(-1)?.body);
  });

  test("takes an amount, and nothing that is none", async () => {
    const { user, dialog, sent } = await open();
    await user.click(dialog.getByLabelText("Amount"));
    const field = dialog.getByRole("textbox", { name: "Amount" });
    for (const typed of ["", "0", "-5", "1.234", "five"]) {
      fireEvent.change(field, { target: { value: typed } });
      expect(dialog.getByText("Choose items, shipping, or an amount.")).toBeTruthy();
      expect(dialog.getByRole("button", { name: "Refund" }).getAttribute("aria-disabled")).toBe("true");
    }
    fireEvent.change(field, { target: { value: "$5.50" } });
    await waitFor(() => expect(sent(PREVIEW).at(-1)?.body).toEqual({ amount: 5.5, refunded: 0 }));
  });

  test("marks an invalid amount once the field is left", async () => {
    const { user, dialog } = await open();
    await user.click(dialog.getByLabelText("Amount"));
    const field = dialog.getByRole("textbox", { name: "Amount" });
    const messages = {
      five: "Enter an amount in dollars with at most two decimals, like 24.99.",
      "-5": "Enter an amount up to $59.80.",
    };
    for (const [typed, message] of Object.entries(messages)) {
      fireEvent.change(field, { target: { value: typed } });
      expect(dialog.queryByText(message)).toBeNull();
      fireEvent.blur(field);
      expect(dialog.getByText(message)).toBeTruthy();
      expect(field.getAttribute("aria-invalid")).toBe("true");
    }
    fireEvent.change(field, { target: { value: "5.5" } });
    expect(field.getAttribute("aria-invalid")).toBeNull();
  });

  test("says why a refund is impossible", async () => {
    const fields = { amount: "Enter an amount up to $59.80." };
    const { user, dialog } = await open({ [PREVIEW]: errorResponse(400, { code: "InvalidRequest", fields }) });
    await user.click(dialog.getByLabelText("Amount"));
    fireEvent.change(dialog.getByRole("textbox", { name: "Amount" }), { target: { value: "99" } });
    expect(await dialog.findByText(fields.amount)).toBeTruthy();
    expect(dialog.getByRole("button", { name: "Refund" }).getAttribute("aria-disabled")).toBe("true");
  });

  test("stays open when the provider fails, and what was chosen stays chosen", async () => {
    const down = { error: "The payment provider didn’t confirm the refund.", code: "PaymentProviderUnavailable" };
    const { user, dialog } = await open({ [REFUND]: errorResponse(503, down) });
    await user.click(dialog.getByLabelText("Restock the items"));
    await user.click(dialog.getByRole("button", { name: "Refund everything" }));
    await user.click(await dialog.findByRole("button", { name: "Refund $59.80" }));
    expect(await dialog.findByText(down.error)).toBeTruthy();
    expect(dialog.getByLabelText<HTMLInputElement>("Restock the items").checked).toBe(true);
  });

  test("offers what another refund has left", async () => {
    const partly: AdminOrder = {
      ...ADMIN_ORDER,
      payment: { status: "partially_refunded", refunded: 26.8, dispute: "none" },
    };
    const { user, dialog, sent } = await open({ [FIND]: partly, [LIST]: ONE_REFUNDED });
    expect(dialog.getByText("1 left to refund")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Refund everything" }));
    await waitFor(() =>
      expect(sent(PREVIEW)[0]?.body).toMatchObject({ lines: [{ product_id: "p1", quantity: 1 }], refunded: 26.8 }),
    );
  });
});

test("the refunds of an order are listed with their parts", async () => {
  openShop("/admin/order/o1", { [FIND]: ADMIN_ORDER, [LIST]: ONE_REFUNDED });
  const heading = await screen.findByRole("heading", { name: "Refunds" });
  const list = within(heading.parentElement as HTMLElement);
  expect(list.getByText("1 × Nudgelight One")).toBeTruthy();
  expect(list.getAllByRole("definition").map((part) => part.textContent)).toEqual(["$24.99", "$1.81", "$26.80"]);
});
