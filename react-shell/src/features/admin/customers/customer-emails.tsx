import { useFetcher } from "react-router";
import { useFocusRestore } from "../../../shared/focus";
import type { FormResult } from "../../../shared/form-result";
import { Button } from "../../../shared/ui/button";
import { ShopLink } from "../../../shared/ui/link";
import { Pagination } from "../../../shared/ui/pagination";
import { Table, type Column } from "../../../shared/ui/table";
import { Timestamp } from "../../../shared/ui/timestamp";
import type { CustomerEmail, EmailPage } from "./api";
import { adminPaths } from "../shared/paths";

const KINDS: Record<CustomerEmail["kind"], string> = {
  receipt: "Order confirmation",
  shipment: "Shipping confirmation",
  refund: "Refund",
  refund_failed: "Refund that the bank returned",
  payment_refund: "Refund of a payment without an order",
  code: "Emailed code",
  address_in_use: "Address already has an account",
  password_changed: "Password changed",
  email_changed: "Email address changed",
  second_factor: "Two-factor authentication",
  passkey: "Passkey",
  other: "Email",
  sessions_ended: "Logged out",
  back_in_stock: "Back in stock",
  new_order: "New order",
  alert: "Alert",
  dispute_reminder: "Dispute reminder",
  low_stock: "Low stock",
  wrong_codes: "Wrong codes",
};

const STATES: Record<CustomerEmail["state"], { label: string; color: string }> = {
  pending: { label: "Waiting", color: "text-warn" },
  sent: { label: "Sent", color: "text-ok" },
  failed: { label: "Failed", color: "text-bad" },
};

type ResendFetcher = ReturnType<typeof useFetcher<FormResult>>;

function columns(fetcher: ResendFetcher): Column<CustomerEmail>[] {
  return [
    { title: "Email", className: "w-full", cell: (email) => <Email email={email} /> },
    { title: "State", className: "max-sm:hidden", cell: (email) => <State email={email} /> },
    { title: "Actions", titleClassName: "sr-only", cell: (email) => <Resend email={email} fetcher={fetcher} /> },
  ];
}

/** What the customer was sent. The texts are not kept. */
export function CustomerEmails({ page }: { page: EmailPage }) {
  const fetcher = useFetcher<FormResult>();
  const result = fetcher.state === "idle" ? fetcher.data : undefined;
  // The email that is sent again is a new row, which can move the pressed button to the next page.
  useFocusRestore(page);
  return (
    <section>
      <div className="mb-3 flex flex-wrap items-baseline gap-x-4">
        <h2 className="text-xl">Emails</h2>
        <p role="status" className="text-ok">
          {result?.kind === "succeeded" && result.message}
        </p>
        {result?.kind === "failed" && (
          <p role="alert" className="text-bad">
            {result.message}
          </p>
        )}
      </div>
      {page.emails.length === 0 ? (
        <p className="text-muted">No emails.</p>
      ) : (
        <Table caption="Emails to this customer, latest first" columns={columns(fetcher)} rows={page.emails} />
      )}
      <Pagination page={page.page} totalPages={page.totalPages} parameter="emails" label="Pages of emails" />
    </section>
  );
}

function State({ email: { state } }: { email: CustomerEmail }) {
  return <span className={STATES[state].color}>{STATES[state].label}</span>;
}

function Email({ email }: { email: CustomerEmail }) {
  const { kind, order, created_at_local: createdAtLocal } = email;
  return (
    <>
      {KINDS[kind]}
      {order && (
        <>
          {" · "}
          <ShopLink to={adminPaths.order(order.id)} className="text-link">
            Order {order.number}
          </ShopLink>
        </>
      )}
      <span className="block text-sm font-normal text-muted">
        <Timestamp at={createdAtLocal} />
        <span className="sm:hidden">
          {" · "}
          <State email={email} />
        </span>
      </span>
    </>
  );
}

function Resend({ email, fetcher }: { email: CustomerEmail; fetcher: ResendFetcher }) {
  const { id, kind, order, state } = email;
  if (order === undefined || state === "pending" || (kind !== "receipt" && kind !== "shipment")) return null;
  return (
    <fetcher.Form method="post" className="text-right">
      <input type="hidden" name="email" value={id} />
      <input type="hidden" name="order" value={order.id} />
      <input type="hidden" name="kind" value={kind} />
      <Button type="submit" disabled={fetcher.state !== "idle"}>
        {fetcher.formData?.get("email") === id ? "Sending..." : "Resend"}
        <span className="sr-only">
          : {KINDS[kind]}, order {order.number}
        </span>
      </Button>
    </fetcher.Form>
  );
}
