import { useEffect, useRef, useState } from "react";
import {
  useLoaderData,
  useRouteError,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from "react-router";
import { ApiError, isShopReachable } from "../../../shared/api-client";
import { isFocusLost, useFocusRestore } from "../../../shared/focus";
import { fieldValue, type FormResult } from "../../../shared/form-result";
import { formatDate, paymentStatusLabel } from "../../../shared/rules";
import { requireAdmin } from "../../../shared/auth-guard";
import { StatusBadge } from "../../../shared/ui/badge";
import { buttonClass } from "../../../shared/ui/button-class";
import { EmptyState } from "../../../shared/ui/empty-state";
import { ShopLink } from "../../../shared/ui/link";
import { Notice } from "../../../shared/ui/notice";
import { Page } from "../../../shared/ui/page";
import { RouteError } from "../../../shared/ui/route-error";
import { findOrder, type AdminOrder } from "./api";
import { listDisputes, type OrderDisputes } from "./disputes/api";
import { DisputeList } from "./disputes/dispute-list";
import { OrderBalance } from "./balance/order-balance";
import { HoldNotice } from "./hold/hold-notice";
import { saveShipAnyway } from "./hold/save-ship-anyway";
import { OrderAlerts } from "./order-alerts";
import { OrderActions, type OrderTask } from "./order-actions";
import { OrderCustomer } from "./order-customer";
import { OrderEditor } from "./order-editor";
import { OrderHistory } from "./order-history";
import { OrderItems } from "./order-items";
import { statusChange } from "./order-values";
import { OrderNavigation } from "./order-navigation/order-navigation";
import { listRefunds, type OrderRefunds } from "./refunds/api";
import { RefundList } from "./refunds/refund-list";
import { saveRefund } from "./refunds/save-refund";
import { saveSettlement } from "./refunds/save-settlement";
import { saveNote } from "./save-order-note";
import { SaveFailure } from "./save-failure";
import { saveOrder, type SaveOrderResult } from "./save-order";
import { resolveAlert } from "../shared/resolve-alert";
import type { Keep } from "../shared/merge-edit";
import { useOrderSaver, type OrderSaver } from "./use-order-saver";
import { adminPaths } from "../shared/paths";

interface OrderPage {
  order: AdminOrder;
  refunds: OrderRefunds;
  disputes: OrderDisputes;
}

export async function loader({ params, request }: LoaderFunctionArgs): Promise<OrderPage> {
  requireAdmin(request);
  const id = params["id"] ?? "";
  const [order, refunds, disputes] = await Promise.all([findOrder(id), listRefunds(id), listDisputes(id)]);
  return { order, refunds, disputes };
}

export async function action({ params, request }: ActionFunctionArgs): Promise<SaveOrderResult | FormResult> {
  requireAdmin(request);
  const form = await request.formData();
  const id = params["id"] ?? "";
  switch (fieldValue(form, "intent")) {
    case "resolve-alert":
      return resolveAlert(fieldValue(form, "alert"));
    case "add-note":
      return saveNote(id, form);
    case "ship-anyway":
      return saveShipAnyway(id, form);
    case "refund":
      return saveRefund(id, form);
    case "settle-refund":
      return saveSettlement(form);
    default:
      return saveOrder(id, form);
  }
}

/** Offline, loading after an action that failed would replace the page, and what was typed. */
export function shouldRevalidate({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  const isFailure = (actionResult as FormResult | undefined)?.kind === "failed";
  return defaultShouldRevalidate && (!isFailure || isShopReachable());
}

export function Component() {
  const { order, refunds, disputes } = useLoaderData<OrderPage>();
  const saver = useOrderSaver();
  const [task, setTask] = useState<OrderTask>();
  const editButton = useRef<HTMLButtonElement>(null);
  const isEditing = task === "edit";
  useCloseOnSave(saver, () => setTask(undefined));
  useHeaderFocus(saver, isEditing, editButton);
  useFocusRestore(order.alerts.length);

  function start(next: OrderTask | undefined) {
    saver.dismiss();
    setTask(next);
  }

  return (
    <Page
      title={`Order ${order.number}`}
      aside={
        !isEditing && (
          <OrderActions
            order={order}
            refunds={refunds}
            saver={saver}
            editButton={editButton}
            task={task}
            onEdit={() => start("edit")}
            onShip={() => start("ship")}
            onRefund={() => start("refund")}
            onClose={() => start(undefined)}
          />
        )
      }
    >
      <div className="space-y-6">
        <OrderNavigation id={order.id} />
        <OrderStatusLine order={order} />
        {order.hold && <HoldNotice order={order} hold={order.hold} />}
        <OrderAlerts alerts={order.alerts} />
        {task === undefined && <SaveStatus saver={saver} />}
        {/* In one column, the customer comes before the history. */}
        <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_17.5rem] xl:grid-rows-[auto_1fr]">
          <div className="min-w-0 space-y-6">
            {isEditing && (
              <OrderEditor
                order={order}
                blocked={refunds.left.blocked}
                saver={saver}
                onClose={() => start(undefined)}
              />
            )}
            <DisputeList orderId={order.id} disputes={disputes} />
            <OrderItems order={order} owed={order.owed} balance={<OrderBalance orderId={order.id} />} />
            <RefundList refunds={refunds.refunds} today={refunds.today} />
          </div>
          <div className="xl:col-start-2 xl:row-span-2 xl:row-start-1">
            <OrderCustomer order={order} />
          </div>
          <div className="min-w-0 xl:col-start-1">
            <OrderHistory history={order.history} />
          </div>
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
      {isUnknown ? <OrderNotFound /> : <RouteError message="Failed to fetch order details. Please try again later." />}
    </Page>
  );
}

function OrderNotFound() {
  return (
    <EmptyState
      title={
        <p role="alert" className="text-xl font-semibold">
          Order not found.
        </p>
      }
      action={
        <ShopLink to={adminPaths.orders} className={buttonClass("primary")}>
          All orders
        </ShopLink>
      }
    />
  );
}

function OrderStatusLine({ order }: { order: AdminOrder }) {
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <StatusBadge status={order.status} />
      <span className="tabular-nums">{formatDate(order.order_date_local)}</span>
      <span>Payment: {paymentStatusLabel(order.payment.status)}</span>
    </p>
  );
}

/** The result of a button in the header, or of the editor or dialog that has just closed. */
function SaveStatus({ saver }: { saver: OrderSaver }) {
  const { result } = saver;
  if (result?.kind === "succeeded") return <Notice kind="success">{result.message}</Notice>;

  function resolve(keep: Keep) {
    const { conflict, status } = result ?? {};
    if (keep === "theirs") saver.dismiss();
    else if (conflict && status) saver.save(statusChange({ ...conflict, values: conflict.theirs }, status));
  }

  return <SaveFailure saver={saver} onKeep={resolve} />;
}

/** Closes the editor or the dialog once its changes are saved. */
function useCloseOnSave({ result }: OrderSaver, close: () => void): void {
  const [handled, setHandled] = useState(result);
  if (result === handled) return;
  setHandled(result);
  if (result?.kind === "succeeded") close();
}

/** Focuses the Edit button when the editor closes, or when another button of the header disappears after its use. */
function useHeaderFocus(
  { result, isBusy }: OrderSaver,
  isEditing: boolean,
  button: React.RefObject<HTMLButtonElement | null>,
): void {
  const previous = useRef({ isEditing, result });
  useEffect(() => {
    const { isEditing: wasEditing, result: lastResult } = previous.current;
    previous.current = { isEditing, result };
    if (isEditing || isBusy) return;
    if (wasEditing || (result !== lastResult && isFocusLost())) button.current?.focus();
  }, [isEditing, result, isBusy, button]);
}
