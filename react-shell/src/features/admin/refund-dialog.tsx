import { useState } from "react";
import { formatMoney, leftToRefund, type Order } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { Dialog } from "../../shared/ui/dialog";
import { CheckboxField } from "../../shared/ui/field";

interface Props {
  order: Order;
  isOpen: boolean;
  onClose: () => void;
  onRefund: (goods: "restock" | "leave") => void;
}

/** The last question before money goes back: how much, and what becomes of the goods. */
export function RefundDialog({ order, isOpen, onClose, onRefund }: Props) {
  const [goods, setGoods] = useState<"restock" | "leave">("leave");
  const left = leftToRefund(order.payment, order.total);
  const isNothingLeft = left === 0;
  return (
    <Dialog
      title={`Refund order ${order.number}?`}
      description={
        isNothingLeft
          ? "All of the money has gone back already. The order will be marked as refunded."
          : `${formatMoney(left)} goes back to the card of ${order.billing_address.name}. That can’t be undone.`
      }
      isOpen={isOpen}
      onClose={onClose}
    >
      <CheckboxField
        label="Put the items back in stock"
        checked={goods === "restock"}
        onChange={(event) => setGoods(event.target.checked ? "restock" : "leave")}
      />
      <div className="mt-5 flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Keep the Money</Button>
        <Button look="danger" onClick={() => onRefund(goods)}>
          {isNothingLeft ? "Mark as Refunded" : `Refund ${formatMoney(left)}`}
        </Button>
      </div>
    </Dialog>
  );
}
