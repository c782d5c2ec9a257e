import { render, screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { describe, expect, test } from "vitest";
import init from "../generated/app/app.js";
import { ORDER } from "../test-shop";
import type { Order } from "./rules";
import { OrderReceipt } from "./rust-receipt";

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
  test("shows the order once, even where effects run twice", async () => {
    render(receipt(ORDER));
    expect(await screen.findAllByText("Receipt")).toHaveLength(1);
    expect(screen.getByText("$59.80")).toBeTruthy();
  });

  test("follows its props and keeps its elements", async () => {
    const { rerender } = render(receipt(ORDER));
    const heading = await screen.findByText("Receipt");
    const table = screen.getByRole("table");
    rerender(receipt({ ...ORDER, status: "shipped", tracking_number: "1Z999AA10123456784" }));
    await screen.findByText("Shipped");
    expect(heading.isConnected).toBe(true);
    expect(screen.getByRole("table")).toBe(table);
    expect(screen.getByRole("link", { name: /UPS/ })).toBeTruthy();
  });

  test("leaves nothing behind", async () => {
    const { container, unmount } = render(receipt(ORDER));
    await screen.findByText("Receipt");
    const host = container.firstElementChild;
    unmount();
    await waitFor(() => expect(host?.childNodes).toHaveLength(0));
  });

  test("takes no more memory for the thousandth time than for the hundredth", async () => {
    const { memory } = await init();
    const mountOften = async (times: number) => {
      for (let time = 0; time < times; time += 1) {
        render(receipt(ORDER)).unmount();
        // Effects of signals are disposed of in a microtask.
        // oxlint-disable-next-line no-await-in-loop -- sequential on purpose
        await Promise.resolve();
      }
      return memory.buffer.byteLength;
    };
    const after = await mountOften(100);
    expect(await mountOften(900)).toBe(after);
  }, 120_000);
});
