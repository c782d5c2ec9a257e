import { useState, type FormEvent } from "react";
import { fieldErrorsOf, fieldValue } from "../../../shared/form-result";
import { checkTrackingNumber } from "../../../shared/rules";
import { Button } from "../../../shared/ui/button";
import { Dialog } from "../../../shared/ui/dialog";
import { CheckboxField } from "../../../shared/ui/field";
import { omitUndefined, useFieldErrors } from "../../../shared/use-field-errors";
import type { AdminOrder } from "./api";
import { orderValues } from "./order-values";
import { SaveFailure } from "./save-failure";
import { MergeInputs } from "../shared/merge-inputs";
import { isTrackingDoubted } from "./save-order";
import { TrackingNumberField } from "./tracking-number-field";
import type { OrderSaver } from "./use-order-saver";

interface Props {
  order: AdminOrder;
  saver: OrderSaver;
  isOpen: boolean;
  onClose: () => void;
}

/** Ships an order in one step: tracking number, email to the customer, Enter. */
export function ShipDialog({ order, saver, isOpen, onClose }: Props) {
  return (
    <Dialog title={`Ship order ${order.number}`} isOpen={isOpen} onClose={onClose}>
      <ShipForm order={order} saver={saver} onClose={onClose} />
    </Dialog>
  );
}

function ShipForm({ order, saver, onClose }: Omit<Props, "isOpen">) {
  const [opened] = useState(order);
  const [notifiesCustomer, setNotifiesCustomer] = useState(true);
  const { result, isBusy, save } = saver;
  const { errors, formProps } = useFieldErrors(validate, fieldErrorsOf(result));

  function submit(event: FormEvent<HTMLFormElement>) {
    formProps.onSubmit(event);
    if (event.defaultPrevented || isBusy) return event.preventDefault();
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const values = new FormData(event.currentTarget, submitter);
    values.set("status", "shipped");
    values.set("notify_customer", String(notifiesCustomer));
    save(values);
  }

  return (
    <form className="space-y-4" {...formProps} onSubmit={submit}>
      <MergeInputs opened={orderValues(opened)} version={opened.version} conflict={result?.conflict} />
      <TrackingNumberField
        defaultValue={opened.tracking_number ?? ""}
        error={errors["tracking_number"]}
        isDoubted={isTrackingDoubted(result)}
      />
      <CheckboxField
        label="Email the customer"
        checked={notifiesCustomer}
        onChange={(event) => setNotifiesCustomer(event.target.checked)}
      />
      <SaveFailure saver={saver} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={isBusy}>
          {isBusy ? "Saving..." : "Mark as Shipped"}
        </Button>
      </div>
    </form>
  );
}

function validate(values: FormData) {
  return omitUndefined({ tracking_number: checkTrackingNumber(fieldValue(values, "tracking_number")) });
}
