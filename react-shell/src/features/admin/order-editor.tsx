import { useEffect, useState, type FormEvent } from "react";
import { fromAddress, toAddress, typedAddress } from "../../shared/address-form";
import { fieldsOf, text } from "../../shared/outcome";
import {
  checkAddress,
  checkTrackingNumber,
  orderStatuses,
  orderStatusLabel,
  type Order,
  type OrderStatus,
} from "../../shared/rules";
import { AddressFields } from "../../shared/ui/address-fields";
import { Button } from "../../shared/ui/button";
import { SelectField, TextField } from "../../shared/ui/field";
import { Card } from "../../shared/ui/page";
import { useFieldErrors, withoutNothing } from "../../shared/use-field-errors";
import { RefundDialog } from "./refund-dialog";
import { SaveFailure } from "./save-failure";
import type { OrderSaver } from "./use-order-saver";

interface Props {
  order: Order;
  /** The status to begin with: another one than the order's when that is what somebody came for. */
  startsAt: OrderStatus;
  saver: OrderSaver;
  onClose: () => void;
}

/** Status, address and tracking number. The version that was opened travels along, so that nobody overwrites unseen. */
export function OrderEditor({ order, startsAt, saver, onClose }: Props) {
  const [opened] = useState(order);
  const [status, setStatus] = useState<string>(startsAt);
  const [refunding, setRefunding] = useState<FormData>();
  const { outcome, isBusy, save } = saver;
  const { errors, formProps } = useFieldErrors(check, fieldsOf(outcome));
  // Once a conflict has been shown, saving again is a decision and carries the version that was shown.
  const version = outcome?.current?.version ?? opened.version;
  const form = formProps.ref;
  // Who came to send the parcel has the status already, and the number to type.
  const first = startsAt === opened.status ? "select" : "input[name=tracking_number]";
  useEffect(() => form.current?.querySelector<HTMLElement>(first)?.focus(), [form, first]);

  function submit(event: FormEvent<HTMLFormElement>) {
    formProps.onSubmit(event);
    if (event.defaultPrevented) return;
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    if (status === "refunded" && opened.status !== "refunded") setRefunding(typed);
    else save(typed);
  }

  function refund(goods: "restock" | "leave") {
    if (refunding && goods === "restock") refunding.set("restock", "on");
    if (refunding) save(refunding);
    setRefunding(undefined);
  }

  return (
    <Card>
      <h2 className="mb-4 text-xl">Edit Order</h2>
      <form className="space-y-6" {...formProps} onSubmit={submit}>
        {version !== undefined && <input type="hidden" name="version" value={version} />}
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label="Status"
            required={false}
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
            autoComplete="off"
            defaultValue={opened.tracking_number ?? ""}
            error={errors["tracking_number"]}
          />
        </div>
        <fieldset>
          <legend className="mb-3 font-semibold">Shipping Address</legend>
          <AddressFields purpose="shipping" typed={fromAddress(opened.address)} errors={errors} />
        </fieldset>
        <SaveFailure saver={saver} keepMine={{ type: "submit" }} onTakeTheirs={onClose} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" look="primary" disabled={isBusy}>
            {isBusy ? "Saving..." : "Save Changes"}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
      <RefundDialog
        order={opened}
        isOpen={refunding !== undefined}
        onClose={() => setRefunding(undefined)}
        onRefund={refund}
      />
    </Card>
  );
}

function check(values: FormData) {
  return {
    ...checkAddress(toAddress(typedAddress(values))),
    ...withoutNothing({ tracking_number: checkTrackingNumber(text(values, "tracking_number")) }),
  };
}
