import { useState } from "react";
import { useFetcher } from "react-router";
import type { FormResult } from "../../../../shared/form-result";
import { Button } from "../../../../shared/ui/button";
import { Dialog } from "../../../../shared/ui/dialog";
import { Notice } from "../../../../shared/ui/notice";
import type { AdminOrder, HoldReason } from "../api";
import { HOLD_LABELS } from "./hold-labels";

interface Props {
  order: AdminOrder;
  hold: HoldReason;
}

/** Says why an order is on hold, and releases it after a confirmation. */
export function HoldNotice({ order, hold }: Props) {
  const [isOpen, setOpen] = useState(false);
  const fetcher = useFetcher<FormResult>();
  const isBusy = fetcher.state !== "idle";
  const failure = !isBusy && fetcher.data?.kind === "failed" ? fetcher.data.message : undefined;

  function shipAnyway() {
    setOpen(false);
    void fetcher.submit({ intent: "ship-anyway", hold }, { method: "post" });
  }

  return (
    <Notice kind="warning">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="font-semibold">On hold: {HOLD_LABELS[hold]}</p>
          <p>Packing slips, labels, tracking imports, and changes of many orders leave this order out.</p>
          {failure !== undefined && <p className="text-bad">{failure}</p>}
        </div>
        <Button disabled={isBusy} onClick={() => setOpen(true)}>
          {isBusy ? "Saving..." : "Ship Anyway…"}
        </Button>
      </div>
      <Dialog
        title={`Ship order ${order.number} anyway?`}
        description={`You may lose both the items and the money: ${HOLD_LABELS[hold]}. The order is packed with the others until a new cause arrives.`}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button variant="danger" onClick={shipAnyway}>
            Ship Anyway
          </Button>
        </div>
      </Dialog>
    </Notice>
  );
}
