import { useState } from "react";
import { useFocusRestore } from "../../../../shared/focus";
import { fieldValue } from "../../../../shared/form-result";
import { formatMoney } from "../../../../shared/rules";
import { Button } from "../../../../shared/ui/button";
import { Dialog } from "../../../../shared/ui/dialog";
import { TextArea, TextField } from "../../../../shared/ui/field";
import { FormResultNotice } from "../../../../shared/ui/form-result-notice";
import { Timestamp } from "../../../../shared/ui/timestamp";
import { omitUndefined } from "../../../../shared/use-field-errors";
import { useActionForm } from "../../shared/use-action-form";
import type { Refund } from "./api";

type Task = "refund" | "outside";

/** What happened to a refund that the customer’s bank returned, and the ways to settle it. */
export function FailedRefund({ refund, today }: { refund: Refund; today: string }) {
  const [task, setTask] = useState<Task>();
  const isSettled = refund.replaced_by !== undefined;
  const amount = formatMoney(refund.parts.amount);
  const close = () => setTask(undefined);
  // The buttons disappear once the refund is settled.
  useFocusRestore(isSettled);
  return (
    <div className="mt-2 space-y-3">
      <p className="text-bad">
        {amount} was returned by the customer’s bank
        {refund.failure_reason !== undefined && ` (${refund.failure_reason.replaceAll("_", " ")})`}
        {refund.failed_at_local !== undefined && (
          <>
            {" · "}
            <Timestamp at={refund.failed_at_local} />
          </>
        )}
      </p>
      {isSettled ? (
        <p role="status">Settled by a later refund.</p>
      ) : (
        <div className="no-print flex flex-wrap gap-3">
          <Button onClick={() => setTask("refund")}>Refund Again</Button>
          <Button onClick={() => setTask("outside")}>Paid Another Way</Button>
        </div>
      )}
      <Dialog
        title={`Refund ${amount} again?`}
        description="The customer’s card is refunded again, with the same items. Nothing is restocked. This can’t be undone."
        isOpen={task === "refund" && !isSettled}
        onClose={close}
      >
        <RefundAgain refund={refund} onClose={close} />
      </Dialog>
      <Dialog
        title={`Was ${amount} paid another way?`}
        description="Record a payment outside the payment provider, such as a check. It counts as refunded, and the customer gets no email."
        isOpen={task === "outside" && !isSettled}
        onClose={close}
      >
        <PaidAnotherWay refund={refund} today={today} onClose={close} />
      </Dialog>
    </div>
  );
}

interface FormProps {
  refund: Refund;
  onClose: () => void;
}

function RefundAgain({ refund, onClose }: FormProps) {
  const { Form, formProps, isBusy, result } = useActionForm(() => ({}));
  return (
    <Form method="post" className="space-y-4" {...formProps}>
      <SettlementFields refund={refund} method="refund" />
      <FormResultNotice result={result} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="danger" disabled={isBusy}>
          {isBusy ? "Refunding..." : `Refund ${formatMoney(refund.parts.amount)}`}
        </Button>
      </div>
    </Form>
  );
}

function PaidAnotherWay({ refund, today, onClose }: FormProps & { today: string }) {
  const { Form, formProps, errors, isBusy, result } = useActionForm(validate);
  return (
    <Form method="post" className="space-y-4" {...formProps}>
      <SettlementFields refund={refund} method="outside" />
      <TextField
        label="Day of the payment"
        name="paid_on"
        type="date"
        min={refund.created_at_local.slice(0, 10)}
        max={today}
        defaultValue={today}
        error={errors["paid_on"]}
      />
      <TextArea
        label="Note"
        hint="Part of the order’s timeline, and of the evidence for disputes."
        name="note"
        rows={2}
        maxLength={2000}
        isOptional
        error={errors["note"]}
      />
      <FormResultNotice result={result} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={isBusy}>
          {isBusy ? "Saving..." : "Record Payment"}
        </Button>
      </div>
    </Form>
  );
}

function SettlementFields({ refund, method }: { refund: Refund; method: Task }) {
  return (
    <>
      <input type="hidden" name="intent" value="settle-refund" />
      <input type="hidden" name="refund" value={refund.id} />
      <input type="hidden" name="method" value={method} />
    </>
  );
}

function validate(values: FormData) {
  return omitUndefined({ paid_on: fieldValue(values, "paid_on") === "" ? "Enter the day of the payment." : undefined });
}
