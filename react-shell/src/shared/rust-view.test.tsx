import { readFile } from "node:fs/promises";
import { render, screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { beforeAll, describe, expect, test } from "vitest";
import init from "../generated/app/app.js";
import { ORDER } from "../test-shop";
import type { Order } from "./rules";
import { OrderReceipt } from "./rust-view";

// The real view, from the same package that the shop serves.
beforeAll(async () => {
  // Here the global object is not the Window, though it has all that a Window has. The view looks for one.
  Object.defineProperty(Window, Symbol.hasInstance, { value: (thing: unknown) => thing === globalThis });
  await init({ module_or_path: await readFile("src/generated/app/app_bg.wasm") });
});

function receipt(order: Order) {
  return (
    <StrictMode>
      <OrderReceipt
        order={order}
        shopName="Nudgelight"
        supportEmail="support@nudgelight.example"
        publicUrl="http://shop"
      />
    </StrictMode>
  );
}

describe("the receipt, mounted into a page", () => {
  test("shows the order once, also where effects run twice", async () => {
    render(receipt(ORDER));
    expect(await screen.findAllByText("Order 1001")).toHaveLength(1);
    expect(screen.getByText("$59.80")).toBeTruthy();
  });

  test("follows its props and keeps its elements", async () => {
    const { rerender } = render(receipt(ORDER));
    const heading = await screen.findByText("Order 1001");
    const table = screen.getByRole("table");
    rerender(receipt({ ...ORDER, number: 1009, status: "shipped", tracking_number: "1Z999AA10123456784" }));
    await screen.findByText("Order 1009");
    expect(heading.isConnected).toBe(true);
    expect(screen.getByRole("table")).toBe(table);
    expect(screen.getByText("Shipped")).toBeTruthy();
    expect(screen.getByRole("link", { name: /UPS/ })).toBeTruthy();
  });

  test("leaves nothing behind", async () => {
    const { container, unmount } = render(receipt(ORDER));
    await screen.findByText("Order 1001");
    const host = container.firstElementChild;
    unmount();
    await waitFor(() => expect(host?.childNodes).toHaveLength(0));
  });
});
