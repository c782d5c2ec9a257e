import { useState } from "react";
import { Form, useNavigation } from "react-router";
import { fromAddress, toAddress, typedAddress } from "../../shared/address-form";
import { fieldsOf, text } from "../../shared/outcome";
import { checkAddress, checkTrackingNumber, orderStatuses, orderStatusLabel, type Order } from "../../shared/rules";
import { AddressFields } from "../../shared/ui/address-fields";
import { Button } from "../../shared/ui/button";
import { CheckboxField, SelectField, TextField } from "../../shared/ui/field";
import { Notice } from "../../shared/ui/notice";
import { Card } from "../../shared/ui/page";
import { useFieldErrors, withoutNothing } from "../../shared/use-field-errors";
import { ConflictNotice } from "./conflict-notice";
import type { SaveOutcome } from "./save-order";

interface Props {
  order: Order;
  outcome: SaveOutcome | undefined;
  onCancel: () => void;
}

/** Status, address and tracking number. The version that was opened travels along, so that nobody overwrites unseen. */
export function OrderEditor({ order, outcome, onCancel }: Props) {
  const [opened] = useState(order);
  const [status, setStatus] = useState<string>(order.status);
  const isBusy = useNavigation().state !== "idle";
  const { errors, formProps } = useFieldErrors(check, fieldsOf(outcome));
  // Once a conflict has been shown, saving again is a decision and carries the version that was shown.
  const version = outcome?.current?.version ?? opened.version;

  return (
    <Card>
      <h2 className="mb-4 text-xl">Edit Order</h2>
      <Form method="post" className="space-y-6" {...formProps}>
        {version !== undefined && <input type="hidden" name="version" value={version} />}
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label="Status"
            name="status"
            value={status}
            onChange={(event) => setStatus(event.target.value)}
            error={errors["status"]}
          >
            {orderStatuses().map((word) => (
              <option key={word} value={word}>
                {orderStatusLabel(word)}
              </option>
            ))}
          </SelectField>
          <TextField
            label="Tracking Number"
            isOptional
            name="tracking_number"
            defaultValue={opened.tracking_number ?? ""}
            error={errors["tracking_number"]}
          />
        </div>
        {status === "refunded" && opened.status !== "refunded" && <RefundNotice />}
        <fieldset>
          <legend className="mb-3 font-semibold">Shipping Address</legend>
          <AddressFields purpose="shipping" typed={fromAddress(opened.address)} errors={errors} />
        </fieldset>
        {outcome?.kind === "failed" && <Failure outcome={outcome} />}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" look="primary" disabled={isBusy}>
            {isBusy ? "Saving..." : "Save Changes"}
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
        </div>
      </Form>
    </Card>
  );
}

function Failure({ outcome }: { outcome: SaveOutcome }) {
  if (outcome.current) return <ConflictNotice message={outcome.message} current={outcome.current} />;
  return (
    <Notice kind="bad">
      {outcome.message}
      {outcome.reason && <span className="block">{outcome.reason}</span>}
    </Notice>
  );
}

function RefundNotice() {
  return (
    <div className="space-y-2">
      <Notice kind="warn">Saving pays back what is left of this order’s money. That can’t be undone.</Notice>
      <CheckboxField name="restock" label="Put the items back in stock" />
    </div>
  );
}

function check(form: FormData) {
  return {
    ...checkAddress(toAddress(typedAddress(form))),
    ...withoutNothing({ tracking_number: checkTrackingNumber(text(form, "tracking_number")) }),
  };
}
