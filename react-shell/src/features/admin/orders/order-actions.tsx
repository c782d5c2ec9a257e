import { useState, type RefObject } from "react";
import { leftToRefund, type OrderStatus } from "../../../shared/rules";
import { Button } from "../../../shared/ui/button";
import type { AdminOrder } from "./api";
import { baseOf, statusChange } from "./order-values";
import type { OrderRefunds } from "./refunds/api";
import { FullRefundDialog } from "./refunds/full-refund-dialog";
import { RefundBlocked } from "./refunds/refund-blocked";
import { RefundDialog } from "./refunds/refund-dialog";
import { ShipDialog } from "./ship-dialog";
import type { OrderSaver } from "./use-order-saver";

/** The usual next status. Delivered and refunded orders have none. */
const NEXT: Partial<Record<OrderStatus, { status: OrderStatus; label: string }>> = {
  pending: { status: "processing", label: "Mark as Processing" },
  processing: { status: "shipped", label: "Mark as Shipped" },
  shipped: { status: "delivered", label: "Mark as Delivered" },
};

/** What the administrator does on the page, besides reading it. */
export type OrderTask = "edit" | "ship" | "refund";

interface Props {
  order: AdminOrder;
  refunds: OrderRefunds;
  saver: OrderSaver;
  editButton: RefObject<HTMLButtonElement | null>;
  task: OrderTask | undefined;
  onEdit: () => void;
  onShip: () => void;
  onRefund: () => void;
  onClose: () => void;
}

/** Buttons of an order: the next status as the primary action, edit and refund. */
export function OrderActions({ order, refunds, saver, editButton, task, onEdit, onShip, onRefund, onClose }: Props) {
  const [isMarking, setMarking] = useState(false);
  const isFullyRefunded = leftToRefund(order.payment, order.total) === 0;
  const { blocked } = refunds.left;
  const owesNothing = order.owed.length === 0 && (order.status === "pending" || order.status === "processing");
  // Nothing is left to pack. *Edit Order* still sets any status.
  const next = owesNothing ? undefined : NEXT[order.status];

  function advance(status: OrderStatus) {
    if (status === "shipped") onShip();
    else saver.save(statusChange(baseOf(order), status));
  }

  function markAsRefunded(stock: "restock" | "leave") {
    setMarking(false);
    saver.save({ ...statusChange(baseOf(order), "refunded"), ...(stock === "restock" && { restock: "on" }) });
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
        <Button disabled={saver.isBusy} onClick={() => (isFullyRefunded ? setMarking(true) : onRefund())}>
          Refund…
        </Button>
      )}
      <ShipDialog order={order} saver={saver} isOpen={task === "ship"} onClose={onClose} />
      {blocked === undefined ? (
        <RefundDialog order={order} left={refunds.left} saver={saver} isOpen={task === "refund"} onClose={onClose} />
      ) : (
        <RefundBlocked number={order.number} blocked={blocked} isOpen={task === "refund"} onClose={onClose} />
      )}
      <FullRefundDialog order={order} isOpen={isMarking} onClose={() => setMarking(false)} onRefund={markAsRefunded} />
    </div>
  );
}
