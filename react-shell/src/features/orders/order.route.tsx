import { Printer, RotateCcw } from "lucide-react";
import { useAsyncError, useLoaderData, type LoaderFunctionArgs } from "react-router";
import { ApiError } from "../../shared/api-client";
import { FORBIDDEN_ORDER_REDIRECT_MS } from "../../shared/timings";
import { deferred } from "../../shared/deferred";
import { findOrderWithArrival, type OrderWithArrival } from "../../shared/order-arrival";
import { paths } from "../../shared/paths";
import { useRootData } from "../../shared/root-data";
import type { Order } from "../../shared/rules";
import { OrderReceipt } from "../../shared/rust-receipt";
import { requireSignedIn } from "../../shared/auth-guard";
import { Button } from "../../shared/ui/button";
import { buttonClass } from "../../shared/ui/button-class";
import { Deferred } from "../../shared/ui/deferred";
import { EmptyState } from "../../shared/ui/empty-state";
import { ShopLink } from "../../shared/ui/link";
import { OrderProgress } from "../../shared/ui/order-progress";
import { Page, PageHead } from "../../shared/ui/page";
import { RouteError } from "../../shared/ui/route-error";
import { CardSkeleton } from "../../shared/ui/skeleton";
import { useHold } from "../../shared/use-hold";
import { useDelayedRedirect } from "../../shared/use-navigate-to";

const TITLE = "Order Details";

interface Loaded {
  found: Promise<OrderWithArrival>;
}

export function loader({ params, request }: LoaderFunctionArgs): Loaded {
  requireSignedIn(request);
  return { found: deferred(findOrderWithArrival(params["id"] ?? "")) };
}

export function Component() {
  const { found } = useLoaderData<Loaded>();
  return (
    <Page
      heading={
        <Deferred data={found} skeleton={TITLE} failure={TITLE}>
          {({ order }) => `Order ${order.number}`}
        </Deferred>
      }
      title={
        <Deferred data={found} skeleton={<PageHead title={TITLE} />} failure={<PageHead title={TITLE} />}>
          {({ order }) => <PageHead title={`Order ${order.number}`} />}
        </Deferred>
      }
      aside={
        <Deferred data={found} skeleton={null} failure={<></>}>
          {({ order }) => (
            <div className="no-print flex flex-wrap gap-3">
              <BuyAgain order={order} />
              <PrintButton />
            </div>
          )}
        </Deferred>
      }
    >
      <Deferred data={found} skeleton={<OrderSkeleton />} failure={<OrderFailure />}>
        {(loaded) => <OrderDetails {...loaded} />}
      </Deferred>
    </Page>
  );
}

/** Asks in the cart whether to add the same items; those that are sold out or no longer listed are named there. */
function BuyAgain({ order }: { order: Order }) {
  const entries = order.items.map(({ product_id: id, quantity }) => `${id}:${quantity}`);
  if (entries.length === 0) return null;
  return (
    <ShopLink to={`${paths.cart}?add=${entries.join(",")}`} className={buttonClass("secondary")}>
      <RotateCcw aria-hidden className="size-4" />
      Buy Again
    </ShopLink>
  );
}

function PrintButton() {
  return (
    <Button onClick={() => window.print()}>
      <Printer aria-hidden className="size-4" />
      Print Order
    </Button>
  );
}

function OrderDetails({ order, arrival, images }: OrderWithArrival) {
  const { shop_name: shopName, support_email: supportEmail } = useRootData().config;
  return (
    <>
      <OrderProgress order={order} arrival={arrival} images={images} />
      <OrderReceipt order={order} shopName={shopName} supportEmail={supportEmail} publicUrl={window.location.origin} />
      <p className="no-print mt-6">
        <ShopLink to={paths.profileOrders} className="text-link">
          All your orders
        </ShopLink>
      </p>
    </>
  );
}

/** Placeholder with the size of an order of one item. */
function OrderSkeleton() {
  return (
    <div role="status" className="space-y-6">
      <span className="sr-only">Loading…</span>
      <CardSkeleton className="h-60" />
      <CardSkeleton className="h-[46rem] sm:h-[36rem]" />
    </div>
  );
}

function OrderFailure() {
  const error = useAsyncError();
  const status = error instanceof ApiError ? error.status : 0;
  if (status === 403) return <Forbidden />;
  if (status === 404) return <Problem message="Order not found." text="Check the link, or look among your orders." />;
  return <RouteError message="Failed to fetch order details. Please try again later." />;
}

/** Leads to the customer's own orders, but not while the message is being read or its link is focused. */
function Forbidden() {
  const { isHeld, holdProps } = useHold();
  useDelayedRedirect(isHeld ? undefined : paths.orders, FORBIDDEN_ORDER_REDIRECT_MS);
  return (
    <div {...holdProps}>
      <Problem message="You are not authorized to view this order." />
    </div>
  );
}

function Problem({ message, text }: { message: string; text?: string }) {
  return (
    <EmptyState
      {...(text !== undefined && { text })}
      title={
        <p role="alert" className="text-xl font-semibold">
          {message}
        </p>
      }
      action={
        <ShopLink to={paths.profileOrders} className={buttonClass("primary")}>
          All Your Orders
        </ShopLink>
      }
    />
  );
}
