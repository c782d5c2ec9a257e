import { readFile } from "node:fs/promises";
import { render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Order } from "../../../shared/rules";
import { OrderReceipt } from "../../../shared/rust-receipt";
import { OrderItems } from "./order-items";

/** The trimmed text of each element. */
const texts = (elements: Iterable<Element>) => [...elements].map((element) => element.textContent.trim());

function receiptLines(table: HTMLElement) {
  return within(table)
    .getAllByRole("row")
    .slice(1) // the header
    .map((row) => {
      const name = row.querySelector("th span span") ?? row.querySelector("th") ?? row;
      return texts([name, row.querySelector("td") ?? row]);
    });
}

function adminsLines(container: HTMLElement) {
  const items = [...container.querySelectorAll("tbody tr")].map((row) => {
    const [product] = row.children;
    // The warranty and what is to be packed follow the name.
    return [product?.firstChild?.textContent?.trim(), texts(row.children).at(-1)];
  });
  const labels = texts(container.querySelectorAll("dt"));
  const amounts = texts(container.querySelectorAll("dd"));
  const sums = labels.map((label, at) => [label, amounts[at]]);
  // The receipt shows the refund as a message below its lines.
  return [...items, ...sums.filter(([label]) => label !== "Refunded")];
}

// The same orders test that page and email show the same receipt: app/tests/it/receipt.rs.
test.each(["order.json", "order-quebec.json"])(
  "%s has the same lines for its customer and for its shop",
  async (file) => {
    const order = JSON.parse(await readFile(`../app/testdata/${file}`, "utf8")) as Order;
    const customers = render(
      <OrderReceipt order={order} shopName="Nudgelight" supportEmail="help@lamp.example" publicUrl="http://shop" />,
    );
    const lines = receiptLines(await screen.findByRole("table"));
    customers.unmount();
    const { container } = render(<OrderItems order={order} />);
    expect(lines.length).toBeGreaterThan(4);
    expect(adminsLines(container)).toEqual(lines);
  },
);

test("an administrator sees the warranty of each item that has one", async () => {
  const order = JSON.parse(await readFile("../app/testdata/order-quebec.json", "utf8")) as Order;
  const { container } = render(<OrderItems order={order} />);
  const products = texts(container.querySelectorAll("tbody td:first-child"));
  expect(products.map((product) => product.includes("Warranty (months): 24"))).toEqual([true, false]);
});
