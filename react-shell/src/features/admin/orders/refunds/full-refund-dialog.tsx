import { useState } from "react";
import { formatMoney, leftToRefund, type Order } from "../../../../shared/rules";
import { Button } from "../../../../shared/ui/button";
import { Dialog } from "../../../../shared/ui/dialog";
import { CheckboxField } from "../../../../shared/ui/field";

interface Props {
  order: Order;
  isOpen: boolean;
  onClose: () => void;
  onRefund: (stock: "restock" | "leave") => void;
}

/** Confirms a refund of everything that is left, as part of an edit: shows the amount and asks about the stock. */
export function FullRefundDialog({ order, isOpen, onClose, onRefund }: Props) {
  const [stock, setStock] = useState<"restock" | "leave">("leave");
  const amount = leftToRefund(order.payment, order.total);
  const isFullyRefunded = amount === 0;
  return (
    <Dialog
      title={`Refund order ${order.number}?`}
      description={
        isFullyRefunded
          ? "This order has already been refunded in full. It will be marked as refunded."
          : `${formatMoney(amount)} will be refunded to ${order.billing_address.name}’s card. This can’t be undone.`
      }
      isOpen={isOpen}
      onClose={onClose}
    >
      <CheckboxField
        label="Restock the items"
        checked={stock === "restock"}
        onChange={(event) => setStock(event.target.checked ? "restock" : "leave")}
      />
      <div className="mt-5 flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" onClick={() => onRefund(stock)}>
          {isFullyRefunded ? "Mark as Refunded" : `Refund ${formatMoney(amount)}`}
        </Button>
      </div>
    </Dialog>
  );
}
