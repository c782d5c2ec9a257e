import { useEffect, useRef, useState } from "react";
import { useLoaderData, useRouteError, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { ApiError } from "../../shared/api-client";
import { isFocusLost, useFocusKept } from "../../shared/focus";
import { text, type Outcome } from "../../shared/outcome";
import { paths } from "../../shared/paths";
import { formatDate, paymentStatusLabel, type Order, type OrderStatus } from "../../shared/rules";
import { requireAdmin } from "../../shared/signed-in";
import { Status } from "../../shared/ui/badge";
import { ShopLink, TEXT_LINK } from "../../shared/ui/link";
import { Notice } from "../../shared/ui/notice";
import { Page } from "../../shared/ui/page";
import { RouteError } from "../../shared/ui/route-error";
import { findOrder } from "./api";
import { AttentionNotice } from "./attention-notice";
import { OrderActions, statusOf } from "./order-actions";
import { OrderCustomer } from "./order-customer";
import { OrderEditor } from "./order-editor";
import { OrderHistory } from "./order-history";
import { OrderItems } from "./order-items";
import { SaveFailure } from "./save-failure";
import { saveOrder, type SaveOutcome } from "./save-order";
import { settle } from "./settle-attention";
import { useOrderSaver, type OrderSaver } from "./use-order-saver";

export async function loader({ params, request }: LoaderFunctionArgs): Promise<Order> {
  requireAdmin(request);
  return findOrder(params["id"] ?? "");
}

export async function action({ params, request }: ActionFunctionArgs): Promise<SaveOutcome | Outcome> {
  requireAdmin(request);
  const form = await request.formData();
  const id = params["id"] ?? "";
  return text(form, "intent") === "settle" ? settle(id) : saveOrder(id, form);
}

export function Component() {
  const order = useLoaderData<Order>();
  const saver = useOrderSaver();
  const [editedFrom, setEditedFrom] = useState<OrderStatus>();
  const editButton = useRef<HTMLButtonElement>(null);
  const isEditing = editedFrom !== undefined;
  useEditorEnd(saver, editedFrom, () => setEditedFrom(undefined));
  useFocusInHeader(saver, isEditing, editButton);
  useFocusKept(order.needs_attention);

  function edit(startsAt: OrderStatus) {
    saver.putAside();
    setEditedFrom(startsAt);
  }

  function close() {
    saver.putAside();
    setEditedFrom(undefined);
  }

  return (
    <Page
      title={`Order ${order.number}`}
      aside={!isEditing && <OrderActions order={order} saver={saver} editButton={editButton} onEdit={edit} />}
    >
      <div className="space-y-6">
        <OrderFacts order={order} />
        {order.needs_attention && <AttentionNotice why={order.attention} />}
        {!isEditing && <SaveNews order={order} saver={saver} />}
        <div className="grid gap-6 xl:grid-cols-[1fr_17.5rem]">
          <div className="min-w-0 space-y-6">
            {isEditing && <OrderEditor order={order} startsAt={editedFrom} saver={saver} onClose={close} />}
            <OrderItems order={order} />
            <OrderHistory history={order.history ?? []} />
          </div>
          <OrderCustomer order={order} />
        </div>
      </div>
    </Page>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const isUnknown = error instanceof ApiError && error.status === 404;
  return (
    <Page title="Order Details">
      {isUnknown && <Notice kind="bad">Order not found.</Notice>}
      {!isUnknown && <RouteError message="Failed to fetch order details. Please try again later." />}
      <ShopLink to={paths.adminOrders} className={`mt-6 inline-block ${TEXT_LINK}`}>
        All orders
      </ShopLink>
    </Page>
  );
}

function OrderFacts({ order }: { order: Order }) {
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Status status={order.status} />
      <span className="tabular-nums">{formatDate(order.order_date)}</span>
      <span>Payment: {paymentStatusLabel(order.payment.status)}</span>
    </p>
  );
}

/** What became of a button in the header, or of the editor that has just been closed. */
function SaveNews({ order, saver }: { order: Order; saver: OrderSaver }) {
  const { outcome } = saver;
  if (outcome?.kind === "done") return <Notice kind="ok">{outcome.message}</Notice>;
  const again = outcome?.mine?.status;
  const seen = outcome?.current ?? order;
  return <SaveFailure saver={saver} keepMine={{ onClick: () => again && saver.save(statusOf(seen, again)) }} />;
}

/** The editor closes when what it sent is saved. */
function useEditorEnd({ outcome }: OrderSaver, editedFrom: OrderStatus | undefined, close: () => void): void {
  const [seen, setSeen] = useState(outcome);
  if (outcome === seen) return;
  setSeen(outcome);
  if (outcome?.kind === "done" && editedFrom !== undefined) close();
}

/** The button takes the focus when the editor is closed, and when another button of the header is gone after its use. */
function useFocusInHeader(
  { outcome, isBusy }: OrderSaver,
  isEditing: boolean,
  button: React.RefObject<HTMLButtonElement | null>,
): void {
  const before = useRef({ isEditing, outcome });
  useEffect(() => {
    const { isEditing: wasEditing, outcome: last } = before.current;
    before.current = { isEditing, outcome };
    if (isEditing || isBusy) return;
    if (wasEditing || (outcome !== last && isFocusLost())) button.current?.focus();
  }, [isEditing, outcome, isBusy, button]);
}
