import { useLoaderData, useRouteError, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { ApiError } from "../../../shared/api-client";
import { requireAdmin } from "../../../shared/auth-guard";
import type { FormResult } from "../../../shared/form-result";
import { formatDate } from "../../../shared/rules";
import { buttonClass } from "../../../shared/ui/button-class";
import { EmptyState } from "../../../shared/ui/empty-state";
import { ShopLink } from "../../../shared/ui/link";
import { Money } from "../../../shared/ui/money";
import { Card, Page } from "../../../shared/ui/page";
import { RouteError } from "../../../shared/ui/route-error";
import {
  getCustomer,
  listCustomerEmails,
  listCustomerOrders,
  type Customer,
  type CustomerOrders,
  type EmailPage,
} from "./api";
import { CustomerEmails } from "./customer-emails";
import { CustomerOrderList } from "./customer-order-list";
import { EmailText } from "./email-text";
import { resendEmail } from "./resend-email";
import { adminPaths } from "../shared/paths";

const ROWS_PER_PAGE = "10";

interface Loaded {
  customer: Customer;
  orders: CustomerOrders;
  emails: EmailPage;
}

export async function loader({ params, request }: LoaderFunctionArgs): Promise<Loaded> {
  requireAdmin(request);
  const id = params["id"] ?? "";
  const search = new URL(request.url).searchParams;
  const query = (name: string) => new URLSearchParams({ page: search.get(name) || "1", limit: ROWS_PER_PAGE });
  const [customer, orders, emails] = await Promise.all([
    getCustomer(id),
    listCustomerOrders(id, query("page")),
    listCustomerEmails(id, query("emails")),
  ]);
  return { customer, orders, emails };
}

export async function action({ request }: ActionFunctionArgs): Promise<FormResult> {
  requireAdmin(request);
  return resendEmail(await request.formData());
}

export function Component() {
  const { customer, orders, emails } = useLoaderData<Loaded>();
  return (
    <Page title={customer.email} heading={<EmailText email={customer.email} />}>
      <div className="space-y-8">
        <Totals customer={customer} />
        <CustomerOrderList page={orders} />
        <CustomerEmails page={emails} />
      </div>
    </Page>
  );
}

function Totals({ customer }: { customer: Customer }) {
  const facts = [
    { label: "Name", value: customer.name ?? "None yet" },
    { label: "Customer since", value: formatDate(customer.created_at_local) },
    { label: "Orders", value: customer.orders.toLocaleString("en-US") },
    { label: "Spent", value: <Money amount={customer.spent} /> },
    { label: "Refunded", value: <Money amount={customer.refunded} /> },
  ];
  return (
    <Card>
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-3 xl:grid-cols-5">
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="font-medium break-words tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const isUnknown = error instanceof ApiError && error.status === 404;
  return (
    <Page title="Customer">
      {isUnknown ? (
        <CustomerNotFound />
      ) : (
        <RouteError message="Failed to fetch the customer. Please try again later." />
      )}
    </Page>
  );
}

function CustomerNotFound() {
  return (
    <EmptyState
      title={
        <p role="alert" className="text-xl font-semibold">
          Customer not found.
        </p>
      }
      action={
        <ShopLink to={adminPaths.customers} className={buttonClass("primary")}>
          All Customers
        </ShopLink>
      }
    />
  );
}
