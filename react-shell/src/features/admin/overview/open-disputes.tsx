import { ShopLink } from "../../../shared/ui/link";
import { Money } from "../../../shared/ui/money";
import { Card } from "../../../shared/ui/page";
import type { Schema } from "../../../shared/api-types";
import { disputeLabel, words } from "../shared/dispute-labels";
import { DueDate } from "../shared/due-date";
import { adminPaths } from "../shared/paths";

/** Disputes that are not decided, by due date; renders nothing if there are none. */
export function OpenDisputes({ disputes }: { disputes: Schema<"OpenDispute">[] }) {
  if (disputes.length === 0) return null;
  return (
    <Card className="md:col-span-2">
      <h2 className="mb-3 text-xl">Open disputes</h2>
      <ul>
        {disputes.map((entry) => (
          <OpenDisputeEntry key={entry.dispute.id} entry={entry} />
        ))}
      </ul>
    </Card>
  );
}

function OpenDisputeEntry({
  entry: { order_id: orderId, order_number: orderNumber, dispute },
}: {
  entry: Schema<"OpenDispute">;
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-t border-line py-3 first:border-0">
      <span className="min-w-0 break-words">
        <ShopLink to={adminPaths.order(orderId)} className="text-link mr-2">
          Order {orderNumber}
        </ShopLink>
        {words(dispute.reason ?? "dispute")}
        {dispute.amount !== undefined && (
          <>
            {" · "}
            <Money amount={dispute.amount} />
          </>
        )}
      </span>
      {dispute.response ? <DueDate response={dispute.response} /> : <span>{disputeLabel(dispute)}</span>}
    </li>
  );
}
