import { useEffect, useState, type FormEvent } from "react";
import { fromAddress, toAddress, typedAddress } from "../../../shared/address-form";
import { fieldErrorsOf, fieldValue } from "../../../shared/form-result";
import { checkAddress, checkTrackingNumber, orderStatuses, orderStatusLabel } from "../../../shared/rules";
import { AddressFields } from "../../../shared/ui/address-fields";
import { Button } from "../../../shared/ui/button";
import { CheckboxField, SelectField } from "../../../shared/ui/field";
import { Card } from "../../../shared/ui/page";
import { useFieldErrors, omitUndefined, type FieldErrors } from "../../../shared/use-field-errors";
import type { AdminOrder } from "./api";
import type { RefundBlock } from "./refunds/api";
import { FullRefundDialog } from "./refunds/full-refund-dialog";
import { orderValues } from "./order-values";
import { BLOCKED } from "./refunds/refund-blocked";
import { SaveFailure } from "./save-failure";
import { isTrackingDoubted } from "./save-order";
import { TrackingNumberField } from "./tracking-number-field";
import type { OtherVersion } from "../shared/merge-edit";
import { MergeInputs } from "../shared/merge-inputs";
import type { OrderSaver } from "./use-order-saver";

interface Props {
  order: AdminOrder;
  /** Why the order can't be set to refunded. */
  blocked?: RefundBlock | undefined;
  saver: OrderSaver;
  onClose: () => void;
}

interface StatusFieldsProps {
  order: AdminOrder;
  blocked: RefundBlock | undefined;
  status: string;
  onStatus: (status: string) => void;
  errors: FieldErrors;
  isDoubted: boolean;
}

/** Edits status, address and tracking number. Sends the opened version to detect conflicts (optimistic concurrency). */
export function OrderEditor({ order, blocked, saver, onClose }: Props) {
  const [opened] = useState(order);
  const [status, setStatus] = useState<string>(order.status);
  const [notifiesCustomer, setNotifiesCustomer] = useState(true);
  const [refunding, setRefunding] = useState<FormData>();
  /** A shipment is emailed: a new one, or the tracking number of one that had none. */
  const mayNotify = status === "shipped" && (opened.status !== "shipped" || opened.tracking_number === null);
  const { result, isBusy, save } = saver;
  const { errors, formProps } = useFieldErrors(validate, fieldErrorsOf(result));
  const form = formProps.ref;
  useEffect(() => {
    form.current?.querySelector("select")?.focus();
  }, [form]);

  function submit(event: FormEvent<HTMLFormElement>) {
    formProps.onSubmit(event);
    if (event.defaultPrevented) return;
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const values = new FormData(event.currentTarget, submitter);
    if (mayNotify) values.set("notify_customer", String(notifiesCustomer));
    if (isRefund(values, result?.conflict)) setRefunding(values);
    else save(values);
  }

  /** Whether the edit makes the order refunded, unless it is to keep another status that someone else chose. */
  function isRefund(values: FormData, conflict: OtherVersion | undefined): boolean {
    if (status !== "refunded" || opened.status === "refunded") return false;
    return values.get("keep") !== "theirs" || conflict?.theirs["status"] === opened.status;
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
        <MergeInputs opened={orderValues(opened)} version={opened.version} conflict={result?.conflict} />
        <StatusFields
          order={opened}
          blocked={blocked}
          status={status}
          onStatus={setStatus}
          errors={errors}
          isDoubted={isTrackingDoubted(result)}
        />
        {mayNotify && (
          <CheckboxField
            label={opened.status === "shipped" ? "Email the tracking number to the customer" : "Email the customer"}
            checked={notifiesCustomer}
            onChange={(event) => setNotifiesCustomer(event.target.checked)}
          />
        )}
        <fieldset>
          <legend className="mb-3 font-semibold">Shipping Address</legend>
          <AddressFields purpose="shipping" typed={fromAddress(opened.address)} errors={errors} />
        </fieldset>
        <SaveFailure saver={saver} onCancel={onClose} />
        {result?.conflict === undefined && (
          <div className="flex flex-wrap gap-3">
            <Button type="submit" variant="primary" disabled={isBusy}>
              {isBusy ? "Saving..." : "Save Changes"}
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </div>
        )}
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

function StatusFields({ order, blocked, status, onStatus, errors, isDoubted }: StatusFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label="Status"
        required={false}
        name="status"
        value={status}
        onChange={(event) => onStatus(event.target.value)}
        error={errors["status"]}
        hint={blocked && BLOCKED[blocked]}
      >
        {orderStatuses()
          .filter((option) => option !== "refunded" || blocked === undefined || order.status === "refunded")
          .map((option) => (
            <option key={option} value={option}>
              {orderStatusLabel(option)}
            </option>
          ))}
      </SelectField>
      <TrackingNumberField
        defaultValue={order.tracking_number ?? ""}
        error={errors["tracking_number"]}
        isDoubted={isDoubted}
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
