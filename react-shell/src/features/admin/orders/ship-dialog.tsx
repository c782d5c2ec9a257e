import { useState, type FormEvent } from "react";
import { fieldErrorsOf, fieldValue } from "../../../shared/form-result";
import { checkTrackingNumber, trackingLink } from "../../../shared/rules";
import { Button } from "../../../shared/ui/button";
import { Dialog } from "../../../shared/ui/dialog";
import { CheckboxField, TextField } from "../../../shared/ui/field";
import { omitUndefined, useFieldErrors } from "../../../shared/use-field-errors";
import type { AdminOrder } from "./api";
import { SaveFailure } from "./save-failure";
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
  const [number, setNumber] = useState(opened.tracking_number ?? "");
  const [notifiesCustomer, setNotifiesCustomer] = useState(true);
  const { result, isBusy, save } = saver;
  const { errors, formProps } = useFieldErrors(validate, fieldErrorsOf(result));
  // After a conflict, saving again overwrites the displayed version.
  const version = result?.current?.version ?? opened.version;

  function submit(event: FormEvent<HTMLFormElement>) {
    formProps.onSubmit(event);
    if (event.defaultPrevented || isBusy) return event.preventDefault();
    event.preventDefault();
    save({
      status: "shipped",
      tracking_number: number,
      notify_customer: String(notifiesCustomer),
      version: String(version),
    });
  }

  return (
    <form className="space-y-4" {...formProps} onSubmit={submit}>
      <TextField
        label="Tracking Number"
        isOptional
        name="tracking_number"
        autoComplete="off"
        value={number}
        onChange={(event) => setNumber(event.target.value)}
        error={errors["tracking_number"]}
        hint={<span role="status">{carrierHint(number)}</span>}
      />
      <CheckboxField
        label="Email the customer"
        checked={notifiesCustomer}
        onChange={(event) => setNotifiesCustomer(event.target.checked)}
      />
      <SaveFailure saver={saver} keepMine={{ type: "submit" }} onTakeTheirs={onClose} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={isBusy}>
          {isBusy ? "Saving..." : "Mark as Shipped"}
        </Button>
      </div>
    </form>
  );
}

function carrierHint(number: string): string {
  if (number.trim() === "") return "The number identifies the carrier.";
  const link = trackingLink(number);
  return link ? `Carrier: ${link.carrier}` : "Unknown carrier: the customer gets the number without a link.";
}

function validate(values: FormData) {
  return omitUndefined({ tracking_number: checkTrackingNumber(fieldValue(values, "tracking_number")) });
}
