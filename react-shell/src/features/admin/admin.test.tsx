import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { LIGHT, offline, openShop, ORDER, refusal, signIn, type Answers } from "../../test-shop";
import type { Order } from "../../shared/rules";

vi.mock(import("../../shared/rust-view"), () => ({
  OrderReceipt: ({ order }) => <p>Receipt of {order.number}</p>,
}));

const FIND = "GET /api/admin/order/o1";
const SAVE = "PATCH /api/admin/order/o1";
const OPENED: Order = { ...ORDER, user_email: "ada@example.com", version: 3, history: [] };

function signInAsAdmin() {
  signIn("admin@nudgelight.example", ["Admin"]);
}

describe("the admin area", () => {
  test("sends visitors to the log-in", async () => {
    const { router } = openShop("/admin/orders");
    await waitFor(() => expect(router.state.location.pathname).toBe("/login"));
  });

  test("sends customers home, by way of the log-in", async () => {
    signIn("ada@example.com");
    const { router } = openShop("/admin/products");
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
    expect(screen.queryByText("Admin Panel")).toBeNull();
  });

  test("begins with the orders, and offers every filter except refunded", async () => {
    signInAsAdmin();
    const { router } = openShop("/admin", {
      "GET /api/admin/orders": { orders: [], page: 1, totalPages: 1, total: 0 },
    });
    const options = within(await screen.findByLabelText("Status")).getAllByRole("option");
    expect(options.map((option) => option.textContent)).toEqual([
      "All",
      "Pending",
      "Processing",
      "Shipped",
      "Delivered",
    ]);
    expect(router.state.location.pathname).toBe("/admin/orders");
    expect(screen.getByRole("link", { name: "Admin Panel" })).toBeTruthy();
  });
});

describe("an order in the admin area", () => {
  beforeEach(signInAsAdmin);

  async function edit(answers: Answers) {
    const page = openShop("/admin/order/o1", { [FIND]: OPENED, ...answers });
    await page.user.click(await screen.findByRole("button", { name: "Edit Order" }));
    fireEvent.change(screen.getByLabelText("Status"), { target: { value: "shipped" } });
    return page;
  }

  test("is saved with status, address, tracking number and the version that was opened", async () => {
    const page = await edit({ [SAVE]: { ...OPENED, status: "shipped", version: 4 } });
    await page.user.type(screen.getByLabelText(/^Tracking Number/), "1Z999AA10123456784");
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    expect(await screen.findByText("The changes are saved.")).toBeTruthy();
    expect(page.sent(SAVE)[0]?.body).toEqual({
      status: "shipped",
      address: ORDER.address,
      tracking_number: "1Z999AA10123456784",
      restock: false,
      version: 3,
    });
    expect(screen.getByRole("button", { name: "Edit Order" })).toBeTruthy();
  });

  test("stays as it was on Cancel", async () => {
    const page = await edit({});
    await page.user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.getByText("Receipt of 1001")).toBeTruthy();
    expect(page.sent(SAVE)).toHaveLength(0);
  });

  test("that somebody else changed is shown as it is now; saving again carries that version", async () => {
    const current: Order = { ...OPENED, status: "delivered", tracking_number: "SOMEBODY-ELSES", version: 9 };
    const conflict = { error: "Changed.", code: "EditConflict", details: { current } };
    const page = await edit({ [SAVE]: refusal(409, conflict) });
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    const notice = await screen.findByRole("alert");
    expect(notice.textContent).toContain("Failed to save changes");
    expect(notice.textContent).toContain("Delivered");
    expect(notice.textContent).toContain("SOMEBODY-ELSES");
    expect(screen.getByLabelText("Status")).toHaveProperty("value", "shipped");
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    await waitFor(() => expect(page.sent(SAVE)).toHaveLength(2));
    expect(page.sent(SAVE).map((call) => (call.body as { version: number }).version)).toEqual([3, 9]);
  });

  test("warns before money goes back, and asks about the stock", async () => {
    const page = await edit({ [SAVE]: OPENED });
    fireEvent.change(screen.getByLabelText("Status"), { target: { value: "refunded" } });
    expect(screen.getByRole("alert").textContent).toContain("pays back");
    await page.user.click(screen.getByLabelText("Put the items back in stock"));
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    await waitFor(() => expect(page.sent(SAVE)[0]?.body).toMatchObject({ status: "refunded", restock: true }));
  });

  test("says Failed to save changes, and why", async () => {
    const page = await edit({
      [SAVE]: refusal(503, { error: "The provider is away.", code: "PaymentProviderUnavailable" }),
    });
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    const notice = await screen.findByRole("alert");
    expect(notice.textContent).toBe("Failed to save changesThe provider is away.");
  });
});

describe("the products in the admin area", () => {
  beforeEach(signInAsAdmin);
  const STOCK = "PATCH /api/products/p1/stock";

  test("take a new stock, with the count that was seen", async () => {
    const page = openShop("/admin/products", { [STOCK]: { ...LIGHT, stock: 15 } });
    const field = await screen.findByLabelText("Stock of Nudgelight One");
    expect(field.getAttribute("min")).toBe("0");
    await page.user.clear(field);
    await page.user.type(field, "15");
    await page.user.click(screen.getByRole("button", { name: /^Save/ }));
    await waitFor(() => expect(page.sent(STOCK)[0]?.body).toEqual({ stock: 15, was: 12 }));
  });

  test("say when a stock could not be changed", async () => {
    const page = openShop("/admin/products", { [STOCK]: offline });
    await page.user.type(await screen.findByLabelText("Stock of Nudgelight One"), "3");
    await page.user.click(screen.getByRole("button", { name: /^Save/ }));
    expect((await screen.findByRole("alert")).textContent).toBe("Failed to update product stock");
  });

  test("can't be shown without the shop", async () => {
    openShop("/admin/products", { "GET /api/products": offline });
    expect((await screen.findByRole("alert")).textContent).toBe("Failed to fetch products");
  });

  async function add(answers: Answers, price = "24.99") {
    const page = openShop("/admin/products", answers);
    await page.user.type(await screen.findByLabelText("Name"), "Nudgelight Max");
    await page.user.type(screen.getByLabelText("Description"), "A larger one.");
    await page.user.type(screen.getByLabelText("Price (US dollars)"), price);
    await page.user.type(screen.getByLabelText("Stock"), "7");
    await page.user.type(screen.getByLabelText("Weight (pounds)"), "0.75");
    await page.user.click(screen.getByRole("button", { name: "Add Product" }));
    return page;
  }

  test("get a new one, on sale unless said otherwise", async () => {
    const page = await add({ "POST /api/products": { ...LIGHT, id: "p2", name: "Nudgelight Max" } });
    expect(await screen.findByText("Nudgelight Max was added.")).toBeTruthy();
    expect(page.sent("POST /api/products")[0]?.body).toEqual({
      name: "Nudgelight Max",
      description: "A larger one.",
      price: 24.99,
      stock: 7,
      weight_pounds: 0.75,
      active: true,
    });
  });

  test("refuse a price with a third decimal before anything is sent", async () => {
    const page = await add({}, "24.999");
    expect(screen.getByLabelText("Price (US dollars)").getAttribute("aria-invalid")).toBe("true");
    expect(page.sent("POST /api/products")).toHaveLength(0);
  });

  test.each([
    ["There is one of that name.", refusal(409, { error: "There is one of that name.", code: "DuplicateName" })],
    ["Failed to add new product", offline],
  ])("say %s", async (sentence, answer) => {
    await add({ "POST /api/products": answer });
    expect((await screen.findByRole("alert")).textContent).toBe(sentence);
  });
});
