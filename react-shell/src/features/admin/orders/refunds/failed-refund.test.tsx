import { fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import {
  ADMIN_ORDER,
  errorResponse,
  findDialog,
  NO_REFUNDS,
  openShop,
  signIn,
  type MockResponses,
} from "../../../../test-shop";
import type { OrderRefunds, Refund } from "./api";

const FIND = "GET /api/admin/order/o1";
const LIST = "GET /api/admin/order/o1/refunds";
const SETTLE = "POST /api/admin/refunds/r1/settle";

const FAILED: Refund = {
  id: "r1",
  state: "failed",
  created_at: "2026-11-21T14:00:00.000Z",
  created_at_local: "2026-11-21T14:00:00.000Z",
  actor: "admin@nudgelight.example",
  parts: { amount: 24.99, subtotal: 24.99, shipping: 0, tax: 0, tax_breakdown: [] },
  lines: [{ product_id: "p1", product_name: "Nudgelight One", price: 24.99, quantity: 1 }],
  failed_at_local: "2026-11-25T09:00:00.000Z",
  failure_reason: "expired_or_canceled_card",
};
const MADE: Refund = { ...FAILED, id: "r2", state: "done" };
const SETTLED: OrderRefunds = { ...NO_REFUNDS, refunds: [{ ...FAILED, replaced_by: "r2" }, MADE] };

beforeEach(() => signIn("admin@nudgelight.example", ["Admin"]));

/** The refunds are settled once the server has accepted the settlement. */
function open(settle: MockResponses[string]) {
  let isSettled = false;
  const respond = () => {
    isSettled = true;
    return typeof settle === "function" ? settle() : Response.json(settle);
  };
  const list = () => Response.json(isSettled ? SETTLED : { ...NO_REFUNDS, refunds: [FAILED] });
  return openShop("/admin/order/o1", { [FIND]: ADMIN_ORDER, [LIST]: list, [SETTLE]: respond });
}

test("a refund that the bank returned says so, and is refunded again after a question", async () => {
  const { user, sent } = open(MADE);
  expect(
    await screen.findByText(/\$24\.99 was returned by the customer’s bank \(expired or canceled card\)/),
  ).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Refund Again" }));
  const dialog = within(await findDialog("Refund $24.99 again?"));
  expect(sent(SETTLE)).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Refund $24.99" }));
  expect(await screen.findByText("Settled by a later refund.")).toBeTruthy();
  expect(sent(SETTLE).map(({ body }) => body)).toEqual([{ method: "refund" }]);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.queryByRole("button", { name: "Refund Again" })).toBeNull();
});

test("a payment another way is recorded with its day, today unless it is changed, and note", async () => {
  const { user, sent } = open(MADE);
  await user.click(await screen.findByRole("button", { name: "Paid Another Way" }));
  const dialog = within(await findDialog("Was $24.99 paid another way?"));
  const day = dialog.getByLabelText<HTMLInputElement>("Day of the payment");
  expect([day.value, day.min, day.max]).toEqual(["2026-11-27", "2026-11-21", "2026-11-27"]);
  fireEvent.change(day, { target: { value: "" } });
  await user.click(dialog.getByRole("button", { name: "Record Payment" }));
  expect(await dialog.findByText("Enter the day of the payment.")).toBeTruthy();
  fireEvent.change(dialog.getByLabelText("Day of the payment"), { target: { value: "2026-11-26" } });
  await user.type(dialog.getByRole("textbox", { name: /Note/ }), "Check 1234");
  await user.click(dialog.getByRole("button", { name: "Record Payment" }));
  expect(await screen.findByText("Settled by a later refund.")).toBeTruthy();
  expect(sent(SETTLE).map(({ body }) => body)).toEqual([
    { method: "outside", paid_on: "2026-11-26", note: "Check 1234" },
  ]);
});

test("a settlement that the server rejects keeps the dialog open and says why", async () => {
  const error = "Less than this refund is left of the order. Refund what is left instead.";
  const page = openShop("/admin/order/o1", {
    [FIND]: ADMIN_ORDER,
    [LIST]: { ...NO_REFUNDS, refunds: [FAILED] },
    [SETTLE]: errorResponse(409, { error, code: "EditConflict" }),
  });
  await page.user.click(await screen.findByRole("button", { name: "Refund Again" }));
  await page.user.click(await screen.findByRole("button", { name: "Refund $24.99" }));
  expect(await screen.findByText(error)).toBeTruthy();
});

test("a refund that was paid another way shows its day and note", async () => {
  const paid: Refund = { ...MADE, paid_on: "2026-11-26", note: "Check 1234" };
  openShop("/admin/order/o1", { [FIND]: ADMIN_ORDER, [LIST]: { ...NO_REFUNDS, refunds: [paid] } });
  expect(await screen.findByText(/Paid outside the payment provider on .*: Check 1234/)).toBeTruthy();
});
