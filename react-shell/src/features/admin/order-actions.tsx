import { useState, type RefObject } from "react";
import type { Order, OrderStatus } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { RefundDialog } from "./refund-dialog";
import type { OrderSaver } from "./use-order-saver";

/** What usually comes next; an order that has arrived, or whose money went back, is done. */
const NEXT: Partial<Record<OrderStatus, { status: OrderStatus; label: string }>> = {
  pending: { status: "processing", label: "Mark as Processing" },
  processing: { status: "shipped", label: "Mark as Shipped" },
  shipped: { status: "delivered", label: "Mark as Delivered" },
};

interface Props {
  order: Order;
  saver: OrderSaver;
  editButton: RefObject<HTMLButtonElement | null>;
  onEdit: (startsAt: OrderStatus) => void;
}

/** The next step as the one primary button, and what else can be done. */
export function OrderActions({ order, saver, editButton, onEdit }: Props) {
  const [isRefunding, setRefunding] = useState(false);
  const next = NEXT[order.status];

  function goOn(status: OrderStatus) {
    // A parcel that leaves has a number, which is typed before it is saved.
    if (status === "shipped" && order.tracking_number === null) onEdit(status);
    else saver.save(statusOf(order, status));
  }

  function refund(goods: "restock" | "leave") {
    setRefunding(false);
    saver.save({ ...statusOf(order, "refunded"), ...(goods === "restock" && { restock: "on" }) });
  }

  return (
    <div className="no-print flex flex-wrap gap-3">
      {next && (
        <Button look="primary" disabled={saver.isBusy} onClick={() => goOn(next.status)}>
          {saver.isBusy ? "Saving..." : next.label}
        </Button>
      )}
      <Button ref={editButton} onClick={() => onEdit(order.status)}>
        Edit Order
      </Button>
      {order.status !== "refunded" && (
        <Button look="quiet" disabled={saver.isBusy} onClick={() => setRefunding(true)}>
          Refund…
        </Button>
      )}
      <RefundDialog order={order} isOpen={isRefunding} onClose={() => setRefunding(false)} onRefund={refund} />
    </div>
  );
}

/** The status alone, with the version that is shown. */
export function statusOf(order: Order, status: OrderStatus): Record<string, string> {
  return { status, ...(order.version !== undefined && { version: String(order.version) }) };
}
