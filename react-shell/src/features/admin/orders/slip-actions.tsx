import { useEffect, useState } from "react";
import { Button } from "../../../shared/ui/button";
import { previewOrderStatus, type StatusPreview } from "./api";
import { BulkStatusNotice } from "./bulk-status/bulk-status-notice";
import { useBulkStatus, type BulkStatus } from "./bulk-status/use-bulk-status";
import { ExportButton, LABEL_COLUMNS } from "./export-button";
import { clearOrderSelection } from "./order-selection";

/** What comes after printing: the labels of the printed orders, and their next status. */
export function SlipActions({ query }: { query: URLSearchParams }) {
  const bulk = useBulkStatus(clearOrderSelection);
  const pending = usePendingOrders(query.toString(), bulk.state.kind);
  const isMarked = bulk.state.kind === "changing" || bulk.state.kind === "changed";
  return (
    <>
      <div className="mb-4 flex flex-wrap gap-3">
        {pending.length > 0 && !isMarked && (
          <Button
            onClick={() => bulk.change({ status: "processing", orders: pending, notifiesCustomers: false })}
          >{`Mark ${pending.length} ${pending.length === 1 ? "Order" : "Orders"} as Processing`}</Button>
        )}
        <ExportButton query={query} label="Labels CSV" columns={LABEL_COLUMNS} />
      </div>
      <BulkStatusNotice bulk={bulk} />
    </>
  );
}

/** The printed orders that are pending, in the versions of now: one that changes after that is not marked. */
function usePendingOrders(query: string, change: BulkStatus["state"]["kind"]): StatusPreview["orders"] {
  const [orders, setOrders] = useState<StatusPreview["orders"]>([]);
  useEffect(() => {
    if (change === "changing") return;
    let isCurrent = true;
    previewOrderStatus(query, "processing").then(
      (preview) => isCurrent && setOrders(preview.orders.filter(({ status }) => status === "pending")),
      // The button stays: pressing it says that the shop can't be reached.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [query, change]);
  return orders;
}
