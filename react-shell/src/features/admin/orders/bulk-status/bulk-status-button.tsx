import { useEffect, useState, type FormEvent } from "react";
import { serverFieldErrors } from "../../../../shared/api-client";
import { orderStatuses, orderStatusLabel, type OrderStatus } from "../../../../shared/rules";
import { Button } from "../../../../shared/ui/button";
import { Dialog } from "../../../../shared/ui/dialog";
import { CheckboxField, SelectField } from "../../../../shared/ui/field";
import { Notice } from "../../../../shared/ui/notice";
import { previewOrderStatus, type StatusPreview } from "../api";
import { countOrders } from "./bulk-status-notice";
import type { StatusChange } from "./use-bulk-status";

interface Props {
  /** The orders to change. */
  query: URLSearchParams;
  onStatus: (change: StatusChange) => void;
}

/** Changes the status of the query's orders, after a summary of what would change. */
export function BulkStatusButton({ query, onStatus }: Props) {
  const [isOpen, setOpen] = useState(false);

  function change(wanted: StatusChange) {
    setOpen(false);
    onStatus(wanted);
  }

  return (
    <>
      <Button onClick={() => setOpen(true)}>Change Status…</Button>
      <Dialog title="Change status" isOpen={isOpen} onClose={() => setOpen(false)}>
        <StatusForm query={query.toString()} onStatus={change} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

interface FormProps {
  query: string;
  onStatus: (change: StatusChange) => void;
  onClose: () => void;
}

function StatusForm({ query, onStatus, onClose }: FormProps) {
  const [status, setStatus] = useState<OrderStatus>("processing");
  const [notifies, setNotifies] = useState(true);
  const { preview, error } = useStatusPreview(query, status);
  const count = preview?.orders.length ?? 0;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (preview && count > 0) onStatus({ status, orders: preview.orders, notifiesCustomers: notifies });
  }

  return (
    <form className="space-y-4" onSubmit={submit}>
      <SelectField label="New status" value={status} onChange={(event) => setStatus(event.target.value as OrderStatus)}>
        {orderStatuses()
          .filter((choice) => choice !== "refunded")
          .map((choice) => (
            <option key={choice} value={choice}>
              {orderStatusLabel(choice)}
            </option>
          ))}
      </SelectField>
      {status === "shipped" && (
        <CheckboxField
          label="Email the customers"
          checked={notifies}
          onChange={(event) => setNotifies(event.target.checked)}
        />
      )}
      <div role="status" className="min-h-12">
        {preview && <Summary preview={preview} status={status} />}
      </div>
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={count === 0}>
          {count === 0 ? "Change Status" : `Change ${countOrders(count)}`}
        </Button>
      </div>
    </form>
  );
}

/** What a change would do; undefined while it loads. */
function useStatusPreview(query: string, status: OrderStatus) {
  const [loaded, setLoaded] = useState<{ status: OrderStatus; preview?: StatusPreview; error?: string }>();
  useEffect(() => {
    let isCurrent = true;
    previewOrderStatus(query, status).then(
      (preview) => isCurrent && setLoaded({ status, preview }),
      (failure: unknown) => isCurrent && setLoaded({ status, error: previewError(failure) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [query, status]);
  return { preview: undefined, error: undefined, ...(loaded?.status === status && loaded) };
}

function previewError(failure: unknown): string {
  return Object.values(serverFieldErrors(failure)).at(0) ?? "Couldn’t load the orders. Please try again later.";
}

function Summary({ preview, status }: { preview: StatusPreview; status: OrderStatus }) {
  const { orders, unchanged, refunded, held } = preview;
  const label = orderStatusLabel(status).toLowerCase();
  return (
    <ul className="space-y-1">
      {orderStatuses().map((from) => {
        const count = orders.filter((order) => order.status === from).length;
        if (count === 0) return null;
        return (
          <li key={from}>
            {count.toLocaleString("en-US")} {orderStatusLabel(from).toLowerCase()} {count === 1 ? "order" : "orders"}{" "}
            will become {label}.
          </li>
        );
      })}
      {unchanged > 0 && (
        <li>
          {countOrders(unchanged)} {unchanged === 1 ? "is" : "are"} already {label}.
        </li>
      )}
      {refunded > 0 && (
        <li>
          {refunded.toLocaleString("en-US")} refunded {refunded === 1 ? "order is" : "orders are"} skipped.
        </li>
      )}
      {held > 0 && (
        <li>
          {countOrders(held)} on hold {held === 1 ? "is" : "are"} skipped.
        </li>
      )}
      {orders.length + unchanged + refunded + held === 0 && <li>No order matches.</li>}
    </ul>
  );
}
