import { useState, type RefObject } from "react";
import type { Order, OrderStatus } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { RefundDialog } from "./refund-dialog";
import { ShipDialog } from "./ship-dialog";
import type { OrderSaver } from "./use-order-saver";

/** The usual next status. Delivered and refunded orders have none. */
const NEXT: Partial<Record<OrderStatus, { status: OrderStatus; label: string }>> = {
  pending: { status: "processing", label: "Mark as Processing" },
  processing: { status: "shipped", label: "Mark as Shipped" },
  shipped: { status: "delivered", label: "Mark as Delivered" },
};

interface Props {
  order: Order;
  saver: OrderSaver;
  editButton: RefObject<HTMLButtonElement | null>;
  isShipping: boolean;
  onEdit: () => void;
  onShip: () => void;
  onClose: () => void;
}

/** Buttons of an order: the next status as the primary action, edit and refund. */
export function OrderActions({ order, saver, editButton, isShipping, onEdit, onShip, onClose }: Props) {
  const [isRefunding, setRefunding] = useState(false);
  const next = NEXT[order.status];

  function advance(status: OrderStatus) {
    if (status === "shipped") onShip();
    else saver.save(statusChange(order, status));
  }

  function refund(stock: "restock" | "leave") {
    setRefunding(false);
    saver.save({ ...statusChange(order, "refunded"), ...(stock === "restock" && { restock: "on" }) });
  }

  return (
    <div className="no-print flex flex-wrap gap-3">
      {next && (
        <Button
          // Another element once the order has shipped, so that the focus moves to the page's heading. On this button,
          // the Enter of a tracking number that is scanned twice would mark the order as delivered.
          key={next.status === "delivered" ? "deliver" : "prepare"}
          variant="primary"
          disabled={saver.isBusy}
          onClick={() => advance(next.status)}
        >
          {saver.isBusy ? "Saving..." : next.label}
        </Button>
      )}
      <Button ref={editButton} onClick={onEdit}>
        Edit Order
      </Button>
      {order.status !== "refunded" && (
        <Button variant="ghost" disabled={saver.isBusy} onClick={() => setRefunding(true)}>
          Refund…
        </Button>
      )}
      <ShipDialog order={order} saver={saver} isOpen={isShipping} onClose={onClose} />
      <RefundDialog order={order} isOpen={isRefunding} onClose={() => setRefunding(false)} onRefund={refund} />
    </div>
  );
}

/** Form data that changes only the status, with the displayed version. */
export function statusChange(order: Order, status: OrderStatus): Record<string, string> {
  return { status, ...(order.version !== undefined && { version: String(order.version) }) };
}
