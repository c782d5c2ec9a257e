import { Printer } from "lucide-react";
import { useLoaderData, useRouteError, type LoaderFunctionArgs } from "react-router";
import { ApiError } from "../../shared/api-client";
import { FORBIDDEN_ORDER_REDIRECT_MS } from "../../shared/timings";
import { findOrder } from "../../shared/orders-api";
import { paths } from "../../shared/paths";
import { useRootData } from "../../shared/root-data";
import type { Order } from "../../shared/rules";
import { OrderReceipt } from "../../shared/rust-receipt";
import { requireSignedIn } from "../../shared/auth-guard";
import { Button } from "../../shared/ui/button";
import { ShopLink } from "../../shared/ui/link";
import { Notice } from "../../shared/ui/notice";
import { Page } from "../../shared/ui/page";
import { RouteError } from "../../shared/ui/route-error";
import { useDelayedRedirect } from "../../shared/use-navigate-to";

export async function loader({ params, request }: LoaderFunctionArgs): Promise<Order> {
  requireSignedIn(request);
  return findOrder(params["id"] ?? "");
}

export function Component() {
  const order = useLoaderData<Order>();
  const { shopName, supportEmail } = useRootData().config;
  return (
    <Page
      title={`Order ${order.number}`}
      heading="Order Details"
      aside={
        <Button onClick={() => window.print()} className="no-print">
          <Printer aria-hidden className="size-4" />
          Print Order
        </Button>
      }
    >
      <OrderReceipt order={order} shopName={shopName} supportEmail={supportEmail} publicUrl={window.location.origin} />
      <p className="no-print mt-6">
        <ShopLink to={paths.profileOrders} className="text-link">
          All your orders
        </ShopLink>
      </p>
    </Page>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const status = error instanceof ApiError ? error.status : 0;
  return (
    <Page title="Order Details" width="text">
      {status === 403 && <Forbidden />}
      {status === 404 && <Notice kind="error">Order not found.</Notice>}
      {status !== 403 && status !== 404 && (
        <RouteError message="Failed to fetch order details. Please try again later." />
      )}
      <ShopLink to={paths.profileOrders} className="mt-6 inline-block text-link">
        All your orders
      </ShopLink>
    </Page>
  );
}

function Forbidden() {
  useDelayedRedirect(paths.orders, FORBIDDEN_ORDER_REDIRECT_MS);
  return <Notice kind="error">You are not authorized to view this order.</Notice>;
}
