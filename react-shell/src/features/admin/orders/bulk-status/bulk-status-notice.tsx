import { useEffect } from "react";
import { focusPageHeading, isFocusLost } from "../../../../shared/focus";
import { orderStatusLabel } from "../../../../shared/rules";
import { Button } from "../../../../shared/ui/button";
import { Notice } from "../../../../shared/ui/notice";
import { Progress } from "../../shared/progress";
import type { BulkStatus } from "./use-bulk-status";

/** Progress and result of a change of many orders' status. */
export function BulkStatusNotice({ bulk: { state, undo } }: { bulk: BulkStatus }) {
  // The dialog's opener disappears with the selection, and Undo with its use.
  useEffect(() => {
    if (state.kind !== "idle" && isFocusLost()) focusPageHeading();
  }, [state]);
  if (state.kind === "idle") return null;
  return <div className="mb-4">{content(state, undo)}</div>;
}

function content(state: Exclude<BulkStatus["state"], { kind: "idle" }>, undo: BulkStatus["undo"]) {
  switch (state.kind) {
    case "changing":
      return <Progress label="Changing orders" done={state.done} total={state.total} />;
    case "changed": {
      const { change, changed, conflicts, undo: orders } = state;
      return (
        <Notice key="changed" kind={conflicts > 0 ? "warning" : "success"}>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <p>
              {countOrders(changed)} changed to {orderStatusLabel(change.status)}.{describeConflicts(conflicts)}
            </p>
            {orders && <Button onClick={() => undo(orders)}>Undo</Button>}
          </div>
        </Notice>
      );
    }
    case "undone":
      return (
        <Notice key="undone" kind={state.conflicts > 0 ? "warning" : "success"}>
          {countOrders(state.changed)} changed back.{describeConflicts(state.conflicts)}
        </Notice>
      );
    case "failed":
      return (
        <Notice key="failed" kind="error">
          The change stopped after {state.changed.toLocaleString("en-US")} of {countOrders(state.total)}. Check your
          connection and change the others again.
        </Notice>
      );
  }
}

export function countOrders(count: number): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? "order" : "orders"}`;
}

function describeConflicts(conflicts: number): string {
  return conflicts === 0
    ? ""
    : ` ${countOrders(conflicts)} changed in the meantime and ${conflicts === 1 ? "was" : "were"} skipped.`;
}
