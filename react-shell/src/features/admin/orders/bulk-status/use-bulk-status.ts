import { useState } from "react";
import { useRevalidator } from "react-router";
import type { OrderStatus } from "../../../../shared/rules";
import { updateOrderStatus, type NewStatus, type StatusPreview } from "../api";
import { sendInBatches } from "../../shared/batches";

/** A change of the orders in a preview. */
export interface StatusChange {
  status: OrderStatus;
  orders: StatusPreview["orders"];
  notifiesCustomers: boolean;
}

/** The orders with their new versions, and the status that each had before. */
type Undo = NewStatus[];

type BulkStatusState =
  | { kind: "idle" }
  | { kind: "changing"; done: number; total: number }
  | { kind: "changed"; change: StatusChange; changed: number; conflicts: number; undo: Undo | undefined }
  | { kind: "undone"; changed: number; conflicts: number }
  /** After a failed batch; the batches before it are changed. */
  | { kind: "failed"; changed: number; total: number };

/** Changes the status of many orders, batch by batch, with an undo if no email was sent. */
export function useBulkStatus(onChanged: () => void) {
  const [state, setState] = useState<BulkStatusState>({ kind: "idle" });
  const { revalidate } = useRevalidator();

  async function send(orders: NewStatus[], notifiesCustomers: boolean) {
    const [versions, conflicts] = [new Map<number, number>(), [] as number[]];
    const total = orders.length;
    setState({ kind: "changing", done: 0, total });
    try {
      await sendInBatches(
        orders,
        async (batch) => {
          const results = await updateOrderStatus({ orders: batch, notify_customer: notifiesCustomers });
          for (const { number, version } of results.changed) versions.set(number, version);
          conflicts.push(...results.conflicts);
        },
        (done) => setState({ kind: "changing", done, total }),
      );
      return { versions, conflicts: conflicts.length };
    } catch {
      setState({ kind: "failed", changed: versions.size, total });
      return undefined;
    } finally {
      onChanged();
      void revalidate();
    }
  }

  async function change(wanted: StatusChange) {
    const { status, orders, notifiesCustomers } = wanted;
    const result = await send(
      orders.map((order) => ({ ...order, status })),
      notifiesCustomers,
    );
    if (result === undefined) return;
    const { versions, conflicts } = result;
    const isSilent = status !== "shipped" || !notifiesCustomers;
    const before = isSilent && versions.size > 0 ? undoOf(orders, versions) : undefined;
    setState({ kind: "changed", change: wanted, changed: versions.size, conflicts, undo: before });
  }

  async function undo(orders: Undo) {
    const result = await send(orders, false);
    if (result) setState({ kind: "undone", changed: result.versions.size, conflicts: result.conflicts });
  }

  return {
    state,
    change: (wanted: StatusChange) => void change(wanted),
    undo: (orders: Undo) => void undo(orders),
  };
}

export type BulkStatus = ReturnType<typeof useBulkStatus>;

function undoOf(orders: StatusPreview["orders"], versions: ReadonlyMap<number, number>): Undo {
  return orders.flatMap(({ number, status }) => {
    const version = versions.get(number);
    return version === undefined ? [] : { number, version, status };
  });
}
