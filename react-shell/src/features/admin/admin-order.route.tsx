import { useState } from "react";
import {
  useActionData,
  useLoaderData,
  useRouteError,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "react-router";
import { ApiError } from "../../shared/api-client";
import { useRootData } from "../../shared/root-data";
import { formatDate, paymentStatusLabel, type Order } from "../../shared/rules";
import { OrderReceipt } from "../../shared/rust-view";
import { requireAdmin } from "../../shared/signed-in";
import { Status } from "../../shared/ui/badge";
import { Button } from "../../shared/ui/button";
import { TEXT_LINK } from "../../shared/ui/link";
import { Notice } from "../../shared/ui/notice";
import { Page } from "../../shared/ui/page";
import { RouteError } from "../../shared/ui/route-error";
import { findOrder } from "./api";
import { OrderEditor } from "./order-editor";
import { OrderHistory } from "./order-history";
import { saveOrder, type SaveOutcome } from "./save-order";

export async function loader({ params, request }: LoaderFunctionArgs): Promise<Order> {
  requireAdmin(request);
  return findOrder(params["id"] ?? "");
}

export async function action({ params, request }: ActionFunctionArgs): Promise<SaveOutcome> {
  requireAdmin(request);
  return saveOrder(params["id"] ?? "", await request.formData());
}

export function Component() {
  const order = useLoaderData<Order>();
  const { shopName, supportEmail } = useRootData().config;
  const outcome = useActionData<SaveOutcome>();
  const [isEditing, setEditing] = useState(false);
  const [seen, setSeen] = useState<SaveOutcome>();
  if (outcome !== seen) {
    setSeen(outcome);
    if (outcome?.kind === "done") setEditing(false);
  }

  return (
    <Page
      title={`Order ${order.number}`}
      aside={!isEditing && <Button onClick={() => setEditing(true)}>Edit Order</Button>}
    >
      <div className="space-y-6">
        <OrderFacts order={order} />
        {outcome?.kind === "done" && !isEditing && <Notice kind="ok">{outcome.message}</Notice>}
        {isEditing ? (
          <OrderEditor order={order} outcome={outcome} onCancel={() => setEditing(false)} />
        ) : (
          <OrderReceipt
            order={order}
            shopName={shopName}
            supportEmail={supportEmail}
            publicUrl={window.location.origin}
          />
        )}
        <OrderHistory history={order.history ?? []} />
      </div>
    </Page>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  if (error instanceof ApiError && error.status === 404) return <Notice kind="bad">Order not found.</Notice>;
  return <RouteError message="Failed to fetch order details. Please try again later." />;
}

function OrderFacts({ order }: { order: Order }) {
  return (
    <>
      {order.needs_attention && <Notice kind="warn">{order.attention ?? "This order needs attention."}</Notice>}
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span>{formatDate(order.order_date)}</span>
        <Status status={order.status} />
        <span>Payment: {paymentStatusLabel(order.payment.status)}</span>
        <a href={`mailto:${order.user_email}`} className={`${TEXT_LINK} break-all`}>
          {order.user_email}
        </a>
      </p>
    </>
  );
}
