import { addressLine, ADDRESS_FIELDS, fromAddress, toAddress } from "../../../shared/address-form";
import { orderStatuses, orderStatusLabel } from "../../../shared/rules";
import type { AdminOrder } from "./api";
import { mergeInputs, type MergeField, type OtherVersion, type Values } from "../shared/merge-edit";

/** The values of an order's form. */
export function orderValues({ status, tracking_number, address }: AdminOrder): Values {
  return { status, tracking_number: tracking_number ?? "", ...fromAddress(address) };
}

/** The fields of an order. The parts of the postal address are one field: half of each version would be no address. */
export const ORDER_FIELDS: readonly MergeField[] = [
  { label: "Status", names: ["status"], text: ({ status }) => statusText(status) },
  { label: "Tracking number", names: ["tracking_number"], text: (values) => values["tracking_number"] || "none" },
  { label: "Recipient", names: ["name"], text: ({ name }) => name ?? "" },
  { label: "Phone", names: ["phone"], text: ({ phone }) => phone || "none" },
  {
    label: "Address",
    names: ADDRESS_FIELDS.filter((name) => name.startsWith("address.")),
    text: (values) => addressLine({ ...toAddress(values), name: "" }),
  },
];

function statusText(value: string | undefined): string {
  const status = orderStatuses().find((known) => known === value);
  return status === undefined ? "" : orderStatusLabel(status);
}

/** An order as its page shows it, or as someone else saved it. */
export type OrderBase = Pick<OtherVersion, "version"> & { values: Values };

export function baseOf(order: AdminOrder): OrderBase {
  return { version: order.version, values: orderValues(order) };
}

/** Form data that changes only the status. */
export function statusChange({ version, values }: OrderBase, status: string): Record<string, string> {
  return { ...mergeInputs({ opened: values, version }), status };
}
