import { useState, type RefObject } from "react";
import type { Order, OrderStatus } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { RefundDialog } from "./refund-dialog";
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
  onEdit: (initialStatus: OrderStatus) => void;
}

/** Buttons of an order: the next status as the primary action, edit and refund. */
export function OrderActions({ order, saver, editButton, onEdit }: Props) {
  const [isRefunding, setRefunding] = useState(false);
  const next = NEXT[order.status];

  function advance(status: OrderStatus) {
    // A shipment has a tracking number, so it is entered before the status is saved.
    if (status === "shipped" && order.tracking_number === null) onEdit(status);
    else saver.save(statusChange(order, status));
  }

  function refund(stock: "restock" | "leave") {
    setRefunding(false);
    saver.save({ ...statusChange(order, "refunded"), ...(stock === "restock" && { restock: "on" }) });
  }

  return (
    <div className="no-print flex flex-wrap gap-3">
      {next && (
        <Button variant="primary" disabled={saver.isBusy} onClick={() => advance(next.status)}>
          {saver.isBusy ? "Saving..." : next.label}
        </Button>
      )}
      <Button ref={editButton} onClick={() => onEdit(order.status)}>
        Edit Order
      </Button>
      {order.status !== "refunded" && (
        <Button variant="ghost" disabled={saver.isBusy} onClick={() => setRefunding(true)}>
          Refund…
        </Button>
      )}
      <RefundDialog order={order} isOpen={isRefunding} onClose={() => setRefunding(false)} onRefund={refund} />
    </div>
  );
}

/** Form data that changes only the status, with the displayed version. */
export function statusChange(order: Order, status: OrderStatus): Record<string, string> {
  return { status, ...(order.version !== undefined && { version: String(order.version) }) };
}
