import { Money } from "../../../../shared/ui/money";
import { Card } from "../../../../shared/ui/page";
import { Timestamp } from "../../../../shared/ui/timestamp";
import type { Dispute, FraudWarning, OrderDisputes } from "./api";
import { disputeLabel, fundsLabel, words } from "../../shared/dispute-labels";
import { DueDate } from "../../shared/due-date";
import { EvidenceButton } from "./evidence-button";

interface Props {
  orderId: string;
  disputes: OrderDisputes;
}

/** Disputes and early fraud warnings of an order; renders nothing if there are none. */
export function DisputeList({ orderId, disputes: { disputes, fraud_warnings: fraudWarnings } }: Props) {
  if (disputes.length === 0 && fraudWarnings.length === 0) return null;
  return (
    <Card>
      <h2 className="mb-4 text-xl">Disputes</h2>
      <ul className="divide-y divide-line">
        {disputes.map((dispute) => (
          <DisputeEntry key={dispute.id} dispute={dispute} />
        ))}
        {fraudWarnings.map((warning) => (
          <FraudWarningEntry key={warning.id} warning={warning} />
        ))}
      </ul>
      {disputes.length > 0 && (
        <div className="mt-4 border-t border-line pt-4">
          <EvidenceButton orderId={orderId} />
        </div>
      )}
    </Card>
  );
}

function DisputeEntry({ dispute }: { dispute: Dispute }) {
  const { id, reason, amount, response, created_at_local: createdAtLocal } = dispute;
  const funds = fundsLabel(dispute);
  return (
    <li className="space-y-1 py-3 break-words first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <span className="font-semibold">{disputeLabel(dispute)}</span>
        {response && <DueDate response={response} />}
      </p>
      <p>
        {words(reason ?? "dispute")}
        {amount !== undefined && (
          <>
            {" · "}
            <Money amount={amount} />
          </>
        )}
      </p>
      {funds && <p>{funds}</p>}
      <Origin id={id} at={createdAtLocal} />
    </li>
  );
}

function FraudWarningEntry({
  warning: { id, actionable, created_at_local: createdAtLocal },
}: {
  warning: FraudWarning;
}) {
  return (
    <li className="space-y-1 py-3 break-words first:pt-0 last:pb-0">
      <p className="font-semibold">Early fraud warning</p>
      <p>
        {actionable
          ? "The card issuer suspects fraud. A full refund avoids a dispute."
          : "Nothing to do: the payment was disputed or refunded in full."}
      </p>
      <Origin id={id} at={createdAtLocal} />
    </li>
  );
}

function Origin({ id, at }: { id: string; at: string }) {
  return (
    <p className="text-sm text-muted">
      <Timestamp at={at} />
      {" · "}
      {id}
    </p>
  );
}
