import { useEffect } from "react";
import { useAsyncError, useLoaderData, type LoaderFunctionArgs } from "react-router";
import { ApiError } from "../../shared/api-client";
import { deferred } from "../../shared/deferred";
import { focusPageHeading, isFocusLost } from "../../shared/focus";
import { findOrderWithArrival, type OrderWithArrival } from "../../shared/order-arrival";
import { paths } from "../../shared/paths";
import { requireSignedIn } from "../../shared/auth-guard";
import { buttonClass } from "../../shared/ui/button-class";
import { Deferred } from "../../shared/ui/deferred";
import { EmptyState } from "../../shared/ui/empty-state";
import { ShopLink } from "../../shared/ui/link";
import { Page } from "../../shared/ui/page";
import { PasskeyOffer } from "../../shared/ui/passkey-offer";
import { CardSkeleton } from "../../shared/ui/skeleton";
import { OrderConfirmation } from "./order-confirmation";

/** Without an order in the URL, there is nothing to load. */
interface Loaded {
  found?: Promise<OrderWithArrival>;
  email: string;
}

export function loader({ request }: LoaderFunctionArgs): Loaded {
  const { email } = requireSignedIn(request);
  const id = new URL(request.url).searchParams.get("order_id");
  return id ? { found: deferred(findOrderWithArrival(id)), email } : { email };
}

export function Component() {
  const { found, email } = useLoaderData<Loaded>();
  if (found === undefined) return <OrderNotFound message="No order details found." />;
  return (
    <Deferred data={found} skeleton={<SuccessSkeleton />} failure={<OrderFailure />}>
      {(loaded) => <Success {...loaded} email={email} />}
    </Deferred>
  );
}

function Success({ email, ...placed }: OrderWithArrival & { email: string }) {
  // The heading replaces that of the placeholder.
  useEffect(() => {
    if (isFocusLost()) focusPageHeading();
  }, []);
  return (
    <Page title="Thank You" heading="Thank you for your order">
      <OrderConfirmation {...placed} email={email} />
      <div className="mt-6 max-w-2xl">
        <PasskeyOffer />
      </div>
    </Page>
  );
}

/** Placeholder with the size of an order of one item. */
function SuccessSkeleton() {
  return (
    <Page title="Your Order">
      <div role="status" className="grid gap-6 lg:grid-cols-[1fr_24rem]">
        <span className="sr-only">Loading…</span>
        <CardSkeleton className="h-[31rem]" />
        <CardSkeleton className="h-96" />
      </div>
    </Page>
  );
}

function OrderFailure() {
  const error = useAsyncError();
  const isUnknown = error instanceof ApiError && (error.status === 404 || error.status === 403);
  return <OrderNotFound message={isUnknown ? "Order details not found" : "Failed to load order details"} />;
}

function OrderNotFound({ message }: { message: string }) {
  return (
    <Page title="Your Order" width="text">
      <EmptyState
        title={
          <p role="alert" className="text-xl font-semibold">
            {message}
          </p>
        }
        text={
          <>
            You can find all your orders in{" "}
            <ShopLink to={paths.profileOrders} className="text-link">
              your account
            </ShopLink>
            .
          </>
        }
        action={
          <ShopLink to={paths.products} className={buttonClass("primary")}>
            Continue Shopping
          </ShopLink>
        }
      />
    </Page>
  );
}
