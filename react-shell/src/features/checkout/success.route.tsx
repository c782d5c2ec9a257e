import { Printer } from "lucide-react";
import type { ReactNode } from "react";
import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import { ApiError } from "../../shared/api-client";
import { addressLine } from "../../shared/address-form";
import { findOrder } from "../../shared/orders-api";
import { paths } from "../../shared/paths";
import { orderStatusLabel, type Order } from "../../shared/rules";
import { requireSignedIn } from "../../shared/auth-guard";
import { Button } from "../../shared/ui/button";
import { buttonClass } from "../../shared/ui/button-class";
import { ShopLink } from "../../shared/ui/link";
import { Money } from "../../shared/ui/money";
import { Notice } from "../../shared/ui/notice";
import { Card, Page } from "../../shared/ui/page";

type Found = { order: Order; email: string } | { failure: string };

export async function loader({ request }: LoaderFunctionArgs): Promise<Found> {
  const { email } = requireSignedIn(request);
  const id = new URL(request.url).searchParams.get("order_id");
  if (!id) return { failure: "No order details found." };
  try {
    return { order: await findOrder(id), email };
  } catch (error) {
    const isUnknown = error instanceof ApiError && (error.status === 404 || error.status === 403);
    return { failure: isUnknown ? "Order details not found" : "Failed to load order details" };
  }
}

export function Component() {
  const found = useLoaderData<Found>();
  if ("failure" in found) return <OrderNotFound message={found.failure} />;
  const { order, email } = found;
  return (
    <Page title="Thank You" heading="Thank you for your order" width="text">
      <Card className="space-y-6">
        <p className="text-lg">
          Your order number is{" "}
          <ShopLink to={paths.order(order.id)} className="text-link">
            {order.number}
          </ShopLink>
          . A receipt is on its way to {email}.
        </p>
        <Costs order={order} />
        <div>
          <h2 className="mb-1 text-lg">What happens next</h2>
          <p>We’ll pack your order and ship it to {addressLine(order.address)}. You’ll get an email when it ships.</p>
        </div>
        <div className="no-print flex flex-wrap gap-3">
          <ShopLink to={paths.products} className={buttonClass("primary")}>
            Continue Shopping
          </ShopLink>
          <Button onClick={() => window.print()}>
            <Printer aria-hidden className="size-4" />
            Print
          </Button>
        </div>
      </Card>
    </Page>
  );
}

function Costs({ order }: { order: Order }) {
  return (
    <dl className="space-y-1">
      {order.items.map((item) => (
        <Row key={item.product_id} label={`${item.quantity} × ${item.product_name}`}>
          <Money amount={item.price} /> each
        </Row>
      ))}
      <hr className="my-3 border-line" />
      <Row label="Subtotal">
        <Money amount={order.subtotal} />
      </Row>
      <Row label="Shipping">
        <Money amount={order.shipping_cost} />
      </Row>
      <Row label="Tax">
        <Money amount={order.tax} />
      </Row>
      <Row label="Total">
        <strong>
          <Money amount={order.total} />
        </strong>
      </Row>
      <Row label="Status">{orderStatusLabel(order.status)}</Row>
    </dl>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt>{label}</dt>
      <dd className="text-right">{children}</dd>
    </div>
  );
}

function OrderNotFound({ message }: { message: string }) {
  return (
    <Page title="Your Order" width="text">
      <div className="space-y-6">
        <Notice kind="error">{message}</Notice>
        <p>
          You can find all your orders in{" "}
          <ShopLink to={paths.profileOrders} className="text-link">
            your account
          </ShopLink>
          .
        </p>
        <ShopLink to={paths.products} className={buttonClass("primary")}>
          Continue Shopping
        </ShopLink>
      </div>
    </Page>
  );
}
