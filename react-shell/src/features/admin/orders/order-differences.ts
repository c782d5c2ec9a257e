import { addressLine } from "../../../shared/address-form";
import { orderStatusLabel, type Order } from "../../../shared/rules";
import type { OrderEdit } from "./api";
import type { Difference } from "../shared/conflict-notice";

/** The fields in which an edit differs from the version saved meanwhile. */
export function orderDifferences(mine: OrderEdit, theirs: Order): Difference[] {
  const rows = [
    mine.status && row("Status", orderStatusLabel(mine.status), orderStatusLabel(theirs.status)),
    mine.address && row("Address", addressLine(mine.address), addressLine(theirs.address)),
    mine.tracking_number !== undefined &&
      row("Tracking number", mine.tracking_number || "none", theirs.tracking_number ?? "none"),
  ];
  return rows.filter((found) => found !== undefined && found !== false).filter(({ mine: a, theirs: b }) => a !== b);
}

function row(label: string, mine: string, theirs: string): Difference {
  return { label, mine, theirs };
}
