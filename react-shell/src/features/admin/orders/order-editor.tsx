import { useEffect, useState, type FormEvent } from "react";
import { fromAddress, toAddress, typedAddress } from "../../../shared/address-form";
import { fieldErrorsOf, fieldValue } from "../../../shared/form-result";
import { checkAddress, checkTrackingNumber, orderStatuses, orderStatusLabel } from "../../../shared/rules";
import { AddressFields } from "../../../shared/ui/address-fields";
import { Button } from "../../../shared/ui/button";
import { SelectField, TextField } from "../../../shared/ui/field";
import { Card } from "../../../shared/ui/page";
import { useFieldErrors, omitUndefined, type FieldErrors } from "../../../shared/use-field-errors";
import type { AdminOrder } from "./api";
import { FullRefundDialog } from "./refunds/full-refund-dialog";
import { SaveFailure } from "./save-failure";
import type { OrderSaver } from "./use-order-saver";

interface Props {
  order: AdminOrder;
  saver: OrderSaver;
  onClose: () => void;
}

interface StatusFieldsProps {
  order: AdminOrder;
  status: string;
  onStatus: (status: string) => void;
  errors: FieldErrors;
}

/** Edits status, address and tracking number. Sends the opened version to detect conflicts (optimistic concurrency). */
export function OrderEditor({ order, saver, onClose }: Props) {
  const [opened] = useState(order);
  const [status, setStatus] = useState<string>(order.status);
  const [refunding, setRefunding] = useState<FormData>();
  const { result, isBusy, save } = saver;
  const { errors, formProps } = useFieldErrors(validate, fieldErrorsOf(result));
  // After a conflict, saving again overwrites the displayed version.
  const version = result?.current?.version ?? opened.version;
  const form = formProps.ref;
  useEffect(() => {
    form.current?.querySelector("select")?.focus();
  }, [form]);

  function submit(event: FormEvent<HTMLFormElement>) {
    formProps.onSubmit(event);
    if (event.defaultPrevented) return;
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    if (status === "refunded" && opened.status !== "refunded") setRefunding(values);
    else save(values);
  }

  function refund(stock: "restock" | "leave") {
    if (refunding && stock === "restock") refunding.set("restock", "on");
    if (refunding) save(refunding);
    setRefunding(undefined);
  }

  return (
    <Card>
      <h2 className="mb-4 text-xl">Edit Order</h2>
      <form className="space-y-6" {...formProps} onSubmit={submit}>
        <input type="hidden" name="version" value={version} />
        <StatusFields order={opened} status={status} onStatus={setStatus} errors={errors} />
        <fieldset>
          <legend className="mb-3 font-semibold">Shipping Address</legend>
          <AddressFields purpose="shipping" typed={fromAddress(opened.address)} errors={errors} />
        </fieldset>
        <SaveFailure saver={saver} keepMine={{ type: "submit" }} onTakeTheirs={onClose} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="primary" disabled={isBusy}>
            {isBusy ? "Saving..." : "Save Changes"}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
      <FullRefundDialog
        order={opened}
        isOpen={refunding !== undefined}
        onClose={() => setRefunding(undefined)}
        onRefund={refund}
      />
    </Card>
  );
}

function StatusFields({ order, status, onStatus, errors }: StatusFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label="Status"
        required={false}
        name="status"
        value={status}
        onChange={(event) => onStatus(event.target.value)}
        error={errors["status"]}
      >
        {orderStatuses().map((option) => (
          <option key={option} value={option}>
            {orderStatusLabel(option)}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Tracking Number"
        isOptional
        name="tracking_number"
        autoComplete="off"
        defaultValue={order.tracking_number ?? ""}
        error={errors["tracking_number"]}
      />
    </div>
  );
}

function validate(values: FormData) {
  return {
    ...checkAddress(toAddress(typedAddress(values))),
    ...omitUndefined({ tracking_number: checkTrackingNumber(fieldValue(values, "tracking_number")) }),
  };
}
