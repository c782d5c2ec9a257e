import { useFetcher } from "react-router";
import type { FormResult } from "../../shared/form-result";
import { paths } from "../../shared/paths";
import { Button } from "../../shared/ui/button";
import { ShopLink } from "../../shared/ui/link";
import { Pagination } from "../../shared/ui/pagination";
import { Table, type Column } from "../../shared/ui/table";
import { Timestamp } from "../../shared/ui/timestamp";
import type { CustomerEmail, EmailPage } from "./api";

const KINDS: Record<CustomerEmail["kind"], string> = {
  receipt: "Order confirmation",
  shipment: "Shipping confirmation",
  refund: "Refund",
  payment_refund: "Refund of a payment without an order",
  code: "Confirmation code",
  address_in_use: "Address already has an account",
  password_changed: "Password changed",
  sessions_ended: "Logged out",
  back_in_stock: "Back in stock",
  other: "Email",
};

const STATES: Record<CustomerEmail["state"], { label: string; color: string }> = {
  pending: { label: "Waiting", color: "text-warn" },
  sent: { label: "Sent", color: "text-ok" },
  failed: { label: "Failed", color: "text-bad" },
};

const COLUMNS: Column<CustomerEmail>[] = [
  { title: "Email", className: "w-full", cell: (email) => <Email email={email} /> },
  {
    title: "State",
    cell: ({ state }) => <span className={STATES[state].color}>{STATES[state].label}</span>,
  },
  { title: "Actions", titleClassName: "sr-only", cell: (email) => <Resend email={email} /> },
];

/** What the customer was sent. The texts are not kept. */
export function CustomerEmails({ page }: { page: EmailPage }) {
  return (
    <section>
      <h2 className="mb-3 text-xl">Emails</h2>
      {page.emails.length === 0 ? (
        <p className="text-muted">No emails.</p>
      ) : (
        <Table caption="Emails to this customer, latest first" columns={COLUMNS} rows={page.emails} />
      )}
      <Pagination page={page.page} totalPages={page.totalPages} parameter="emails" label="Pages of emails" />
    </section>
  );
}

function Email({ email: { kind, order, createdAtLocal } }: { email: CustomerEmail }) {
  return (
    <>
      {KINDS[kind]}
      {order && (
        <>
          {" · "}
          <ShopLink to={paths.adminOrder(order.id)} className="text-link">
            Order {order.number}
          </ShopLink>
        </>
      )}
      <span className="block text-sm font-normal text-muted">
        <Timestamp at={createdAtLocal} />
      </span>
    </>
  );
}

function Resend({ email: { kind, order, state } }: { email: CustomerEmail }) {
  const fetcher = useFetcher<FormResult>();
  const isBusy = fetcher.state !== "idle";
  const result = isBusy ? undefined : fetcher.data;
  if (order === undefined || state === "pending" || (kind !== "receipt" && kind !== "shipment")) return null;
  return (
    <fetcher.Form method="post" className="flex flex-wrap items-center justify-end gap-2">
      <input type="hidden" name="order" value={order.id} />
      <input type="hidden" name="kind" value={kind} />
      <Button type="submit" disabled={isBusy}>
        {isBusy ? "Sending..." : "Resend"}
        <span className="sr-only">
          : {KINDS[kind]}, order {order.number}
        </span>
      </Button>
      <span role="status" className="text-sm text-ok">
        {result?.kind === "succeeded" && result.message}
      </span>
      {result?.kind === "failed" && (
        <p role="alert" className="w-full text-right text-sm text-bad">
          {result.message}
        </p>
      )}
    </fetcher.Form>
  );
}
