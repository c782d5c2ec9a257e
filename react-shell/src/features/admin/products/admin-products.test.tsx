import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { errorResponse, findDialog, LIGHT, offline, openShop, signIn, type MockResponses } from "../../../test-shop";
import type { Product } from "../../../shared/rules";

const LIST = "GET /api/admin/products";
const STOCK = "PATCH /api/products/p1/stock";
const EDIT = "PATCH /api/products/p1";
const ADD = "POST /api/products";

/** A page of the products table. */
function listed(products: Product[], more: { page?: number; totalPages?: number; total?: number } = {}) {
  return { products, page: 1, totalPages: 1, total: products.length, ...more };
}

function openProducts(path: string, responses: MockResponses = {}) {
  return openShop(path, { [LIST]: listed([LIGHT]), ...responses });
}

beforeEach(() => signIn("admin@nudgelight.example", ["Admin"]));

describe("the stock in the admin area", () => {
  // spec: table with inline stock edit
  // spec: PATCH /api/products/{id}/stock (auth) | stock
  test("is changed with the count that was seen, and both stock and what is available are shown", async () => {
    let light: Product = LIGHT;
    const page = openProducts("/admin/products", {
      [LIST]: () => Response.json(listed([light])),
      [STOCK]: () => {
        light = { ...LIGHT, stock: 14, available: 12 };
        return Response.json(light);
      },
    });
    const field = await screen.findByLabelText("Stock of Nudgelight One");
    expect(screen.getByText("10", { selector: "span" })).toBeTruthy();
    await page.user.clear(field);
    await page.user.type(field, "15{Enter}");
    expect(await screen.findByText("Saved")).toBeTruthy();
    expect(page.sent(STOCK)[0]?.body).toEqual({ stock: 15, was: 12 });
    expect(field).toHaveProperty("value", "14");
    expect(document.activeElement).toBe(field);
  });

  test.each([
    ["+20", 32],
    ["-3", 9],
    ["−12", 0],
    [" + 1 ", 13],
  ])("is changed by the difference %s, and the result is shown before it is saved", async (typed, stock) => {
    const page = openProducts("/admin/products", { [STOCK]: LIGHT });
    const field = await screen.findByLabelText("Stock of Nudgelight One");
    await page.user.clear(field);
    await page.user.type(field, typed);
    expect(screen.getByRole("button", { name: /^Save/ }).textContent).toContain(`= ${stock}`);
    expect(screen.getByText(`New stock: ${stock}`)).toBeTruthy();
    await page.user.type(field, "{Enter}");
    await waitFor(() => expect(page.sent(STOCK)[0]?.body).toEqual({ stock, was: 12 }));
  });

  test("is left alone on Escape", async () => {
    const page = openProducts("/admin/products");
    const field = await screen.findByLabelText("Stock of Nudgelight One");
    await page.user.type(field, "3{Escape}");
    expect(field).toHaveProperty("value", "12");
    expect(screen.queryByRole("button", { name: /^Save/ })).toBeNull();
  });

  test.each([
    ["-13", "Enter a stock from 0 to 1,000,000."],
    ["+1000000", "Enter a stock from 0 to 1,000,000."],
    ["many", "Enter the stock as a whole number, like 10."],
    ["2.5", "Enter the stock as a whole number, like 10."],
  ])("of %s is refused in the shop's own words", async (typed, message) => {
    const page = openProducts("/admin/products");
    const field = await screen.findByLabelText("Stock of Nudgelight One");
    await page.user.clear(field);
    await page.user.type(field, `${typed}{Enter}`);
    expect(screen.getByRole("alert").textContent).toBe(message);
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expect(page.sent(STOCK)).toHaveLength(0);
    await page.user.keyboard("{Escape}");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  // spec: Failed to update product stock
  test.each([
    ["Failed to update product stock", offline],
    [
      "Failed to update product stock. There are 2 in stock by now.",
      errorResponse(400, {
        error: "Wrong.",
        code: "InvalidRequest",
        fields: { stock: "There are 2 in stock by now." },
      }),
    ],
  ])("says %s", async (message, response) => {
    const page = openProducts("/admin/products", { [STOCK]: response });
    await page.user.type(await screen.findByLabelText("Stock of Nudgelight One"), "3");
    await page.user.click(screen.getByRole("button", { name: /^Save/ }));
    expect((await screen.findByRole("alert")).textContent).toBe(message);
    expect(screen.getByLabelText("Stock of Nudgelight One")).toHaveProperty("value", "123");
  });
});

describe("the products in the admin area", () => {
  // spec: Failed to fetch products
  test("can't be shown without the shop, and are asked for again", async () => {
    let isAway = true;
    const page = openProducts("/admin/products", {
      [LIST]: () => (isAway ? offline() : Response.json(listed([LIGHT]))),
    });
    expect((await screen.findByRole("alert")).textContent).toBe("Failed to fetch products");
    isAway = false;
    await page.user.click(screen.getByRole("button", { name: "Try Again" }));
    expect(await screen.findByLabelText("Stock of Nudgelight One")).toBeTruthy();
  });

  test("are taken off sale and put back", async () => {
    const page = openProducts("/admin/products", { [EDIT]: { ...LIGHT, active: false } });
    await page.user.click(await screen.findByRole("button", { name: "Hide Nudgelight One" }));
    await waitFor(() => expect(page.sent(EDIT)[0]?.body).toEqual({ active: false, version: 1 }));
  });

  test("that are not on sale say so", async () => {
    openProducts("/admin/products", { [LIST]: listed([{ ...LIGHT, active: false }]) });
    expect(await screen.findByText("Hidden", { selector: "span" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Show Nudgelight One" })).toBeTruthy();
  });

  test("are searched, sorted and paged by the URL", async () => {
    const page = openProducts("/admin/products?q=one&sort=name&page=2", {
      [LIST]: listed([LIGHT], { page: 2, totalPages: 3, total: 51 }),
    });
    expect(await screen.findByText("26–26 of 51 products")).toBeTruthy();
    const asked = () => page.requests.filter(({ key }) => key.startsWith(LIST)).map(({ key }) => key.split("?")[1]);
    expect(asked()).toEqual(["limit=25&q=one&sort=name&page=2"]);
    expect(screen.getByLabelText("Search")).toHaveProperty("value", "one");
    expect(screen.getByRole("columnheader", { name: "Name" }).getAttribute("aria-sort")).toBe("ascending");
    await page.user.click(screen.getByRole("link", { name: "Name" }));
    await waitFor(() =>
      expect(screen.getByRole("columnheader", { name: "Name" }).getAttribute("aria-sort")).toBe("descending"),
    );
    expect(page.router.state.location.search).toBe("?q=one&sort=-name");
    expect(screen.getByRole("columnheader", { name: "Price" }).getAttribute("aria-sort")).toBeNull();
    await page.user.click(screen.getByRole("link", { name: "Page 3" }));
    await waitFor(() => expect(page.router.state.location.search).toBe("?q=one&sort=-name&page=3"));
  });

  test("are filtered in the order that they have, from the first page on", async () => {
    const page = openProducts("/admin/products?q=one&sort=-name&page=2");
    await page.user.selectOptions(await screen.findByLabelText("Show"), "hidden");
    await page.user.click(screen.getByRole("button", { name: "Filter" }));
    await waitFor(() => expect(page.router.state.location.search).toBe("?sort=-name&q=one&status=hidden"));
  });

  test("are duplicated, and a failure is shown", async () => {
    const responses = [() => Response.json({ ...LIGHT, name: "Copy of Nudgelight One" }, { status: 201 }), offline];
    const page = openProducts("/admin/products", { "POST /api/products/p1/duplicate": () => responses.shift()?.() });
    const button = await screen.findByRole("button", { name: "Duplicate Nudgelight One" });
    await page.user.click(button);
    expect(
      await screen.findByText("Copy of Nudgelight One was added. It is hidden until you activate it."),
    ).toBeTruthy();
    await page.user.click(button);
    expect((await screen.findByRole("alert")).textContent).toBe("Failed to add new product");
  });

  test("that match nothing lead back to all", async () => {
    const page = openProducts("/admin/products?q=nothing", { [LIST]: listed([]) });
    expect(await screen.findByText("No products found.")).toBeTruthy();
    await page.user.click(screen.getByRole("link", { name: "Show All Products" }));
    await waitFor(() => expect(page.router.state.location.search).toBe(""));
  });

  test("that are none are told", async () => {
    openProducts("/admin/products", { [LIST]: listed([]) });
    expect(await screen.findByText("No products yet")).toBeTruthy();
  });
});

describe("a product's editor", () => {
  async function edit(responses: MockResponses) {
    const page = openProducts("/admin/products", responses);
    await page.user.click(await screen.findByRole("button", { name: "Edit Nudgelight One" }));
    const dialog = within(screen.getByRole("dialog", { name: "Edit Nudgelight One" }));
    const price = dialog.getByLabelText("Price (US dollars)");
    await page.user.clear(price);
    await page.user.type(price, "19.99");
    await page.user.click(dialog.getByRole("button", { name: "Save Changes" }));
    return { page, dialog };
  }

  test("saves everything but the stock, over the version that was opened", async () => {
    const { page } = await edit({ [EDIT]: { ...LIGHT, price: 19.99 } });
    expect(await screen.findByText("Nudgelight One was saved.")).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
    const sent = page.sent(EDIT)[0]?.body;
    expect(sent).toMatchObject({
      name: "Nudgelight One",
      description: "A light that reminds.",
      price: 19.99,
      weight_pounds: 0.6,
      active: true,
      version: 1,
    });
    expect(sent).not.toHaveProperty("stock");
  });

  test("saves the facts that are filled in and clears the ones that are emptied", async () => {
    const known: Product = { ...LIGHT, sku: "NL-ONE", power_mw: 900, plug: "usb_a" };
    const page = openProducts("/admin/products", { [LIST]: listed([known]), [EDIT]: known });
    await page.user.click(await screen.findByRole("button", { name: /^Edit/ }));
    const dialog = within(await findDialog());
    await page.user.click(dialog.getByText("Drawing, specifications and codes (optional)"));
    expect(dialog.getByLabelText("SKU")).toHaveProperty("value", "NL-ONE");
    await page.user.clear(dialog.getByLabelText("SKU"));
    await page.user.selectOptions(dialog.getByLabelText("Form"), "halo");
    await page.user.type(dialog.getByLabelText("Length (mm)"), "96");
    await page.user.click(dialog.getByRole("button", { name: "Save Changes" }));
    expect(dialog.getByText("Enter a width from 1 to 2,000 millimeters.")).toBeTruthy();
    await page.user.type(dialog.getByLabelText("Width (mm)"), "96");
    await page.user.type(dialog.getByLabelText("Height (mm)"), "16");
    await page.user.click(dialog.getByRole("button", { name: "Save Changes" }));
    await waitFor(() => expect(page.sent(EDIT)).toHaveLength(1));
    const dimensions = { length_mm: 96, width_mm: 96, height_mm: 16 };
    expect(page.sent(EDIT)[0]?.body).toMatchObject({
      sku: null,
      power_mw: 900,
      plug: "usb_a",
      form: "halo",
      dimensions,
    });
  });

  test("shows both versions of what someone else changed meanwhile, and saves over theirs if told to", async () => {
    const current: Product = { ...LIGHT, price: 29.5, version: 7 };
    const { page, dialog } = await edit({
      [EDIT]: errorResponse(409, { error: "Changed.", code: "EditConflict", details: { current } }),
    });
    const notice = within(await dialog.findByRole("alert"));
    const rows = notice.getAllByRole("row").map((row) => [...row.children].map((cell) => cell.textContent));
    expect(rows.slice(1)).toEqual([["Price"], ["$19.99", "$29.50"]]);
    await page.user.click(notice.getByRole("button", { name: "Keep Mine" }));
    await waitFor(() => expect(page.sent(EDIT)).toHaveLength(2));
    expect(page.sent(EDIT)[1]?.body).toMatchObject({ price: 19.99, version: 7 });
    await page.user.click(await screen.findByRole("button", { name: "Take Theirs" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(page.sent(EDIT)).toHaveLength(2);
  });

  test("merges what someone else changed meanwhile, and asks only for what both changed", async () => {
    const current: Product = { ...LIGHT, description: "Theirs.", sku: "THEIR-SKU", version: 7 };
    const responses = [
      errorResponse(409, { error: "Changed.", code: "EditConflict", details: { current } }),
      () => Response.json({ ...current, price: 19.99 }),
    ];
    const { page } = await edit({ [EDIT]: () => responses.shift()?.() });
    await screen.findByText(/ was saved\. Someone else’s changes were kept: Description, SKU\.$/);
    const body = { price: 19.99, description: "Theirs.", sku: "THEIR-SKU", version: 7 };
    expect(page.sent(EDIT)[1]?.body).toMatchObject(body);
  });

  test("says what the server says", async () => {
    const taken = { error: "A product named Nudgelight One already exists.", code: "DuplicateName" };
    const { dialog } = await edit({ [EDIT]: errorResponse(409, taken) });
    expect((await dialog.findByRole("alert")).textContent).toBe(taken.error);
  });
});

describe("a new product", () => {
  async function add(responses: MockResponses, price = "24.99") {
    const page = openProducts("/admin/products", responses);
    await page.user.click(await screen.findByRole("button", { name: "Add Product" }));
    const form = within(screen.getByRole("dialog", { name: "Add New Product" }));
    await page.user.type(form.getByLabelText("Name"), "Nudgelight Max");
    await page.user.type(form.getByLabelText("Description"), "A larger one.");
    await page.user.type(form.getByLabelText("Price (US dollars)"), price);
    await page.user.type(form.getByLabelText("Stock"), "7");
    await page.user.type(form.getByLabelText("Weight (pounds)"), "0.75");
    await page.user.click(form.getByRole("button", { name: "Add Product" }));
    return page;
  }

  // spec: an Add New Product form
  // spec: active defaults to true
  // spec: POST /api/products (auth, admin) | product fields
  test("is on sale unless said otherwise", async () => {
    const page = await add({ [ADD]: { ...LIGHT, id: "p2", name: "Nudgelight Max" } });
    expect(await screen.findByText("Nudgelight Max was added.")).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Add Product"));
    expect(page.sent(ADD)[0]?.body).toMatchObject({
      name: "Nudgelight Max",
      description: "A larger one.",
      price: 24.99,
      stock: 7,
      weight_pounds: 0.75,
      active: true,
    });
  });

  // spec: name, description, price (step 0.01), stock and weight_pounds (step 0.01) required
  test("with a third decimal in its price is refused before anything is sent", async () => {
    const page = await add({}, "24.999");
    expect(screen.getByLabelText("Price (US dollars)").getAttribute("aria-invalid")).toBe("true");
    expect(page.sent(ADD)).toHaveLength(0);
  });

  // spec: Failed to add product (or Failed to add new product; the server message is used if given)
  test.each([
    [
      "A product with this name already exists.",
      errorResponse(409, { error: "A product with this name already exists.", code: "DuplicateName" }),
    ],
    ["Failed to add new product", offline],
  ])("says %s", async (message, response) => {
    await add({ [ADD]: response });
    expect((await screen.findByRole("alert")).textContent).toBe(message);
  });
});
