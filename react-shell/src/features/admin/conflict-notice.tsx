import { addressLine } from "../../shared/address-form";
import { orderStatusLabel, type Order } from "../../shared/rules";
import { Notice } from "../../shared/ui/notice";

/** Somebody else was faster: shows what the order is now, so that saving again is a decision. */
export function ConflictNotice({ message, current }: { message: string; current: Order }) {
  return (
    <Notice kind="warn">
      <p className="font-semibold">{message}</p>
      <p>Somebody else has changed this order since you opened it. It is now:</p>
      <dl className="my-2 grid grid-cols-[auto_1fr] gap-x-4">
        <dt className="text-muted">Status</dt>
        <dd>{orderStatusLabel(current.status)}</dd>
        <dt className="text-muted">Tracking</dt>
        <dd>{current.tracking_number ?? "none"}</dd>
        <dt className="text-muted">Address</dt>
        <dd>{addressLine(current.address)}</dd>
      </dl>
      <p>Save again to put your version in its place, or cancel to keep this one.</p>
    </Notice>
  );
}
