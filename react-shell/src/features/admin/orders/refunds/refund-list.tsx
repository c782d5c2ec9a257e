import { Card } from "../../../../shared/ui/page";
import { Timestamp } from "../../../../shared/ui/timestamp";
import { formatDate } from "../../../../shared/rules";
import type { OrderRefunds, Refund } from "./api";
import { FailedRefund } from "./failed-refund";
import { RefundAmounts } from "./refund-amounts";

/** The refunds of an order with their parts, oldest first. Those that failed can be settled. */
export function RefundList({ refunds, today }: Pick<OrderRefunds, "refunds" | "today">) {
  if (refunds.length === 0) return null;
  return (
    <Card>
      <h2 className="mb-4 text-xl">Refunds</h2>
      <ol className="divide-y divide-line">
        {refunds.map((refund) => (
          <li key={refund.id} className="grid gap-x-6 gap-y-2 py-3 first:pt-0 last:pb-0 sm:grid-cols-[1fr_16rem]">
            <div className="min-w-0 break-words">
              <p>{description(refund)}</p>
              <p className="text-sm text-muted">
                <Timestamp at={refund.created_at_local} />
                {" · "}
                {refund.actor}
              </p>
              {refund.paid_on !== undefined && (
                <p className="text-sm">
                  Paid outside the payment provider on {formatDate(refund.paid_on)}
                  {refund.note !== undefined && `: ${refund.note}`}
                </p>
              )}
              {refund.state === "failed" && <FailedRefund refund={refund} today={today} />}
            </div>
            <RefundAmounts parts={refund.parts} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function description({ lines, parts, actor }: Refund): string {
  const items = lines.map(({ product_name, quantity }) => `${quantity} × ${product_name}`);
  if (items.length > 0) return items.join(", ");
  if (actor === "shop") return "At the payment provider";
  return parts.subtotal === 0 ? "Shipping" : "Amount";
}
