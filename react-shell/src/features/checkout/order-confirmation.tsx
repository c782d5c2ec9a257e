import { CircleCheck, Printer, Truck } from "lucide-react";
import type { ReactNode } from "react";
import { addressLabel } from "../../shared/address-form";
import type { OrderWithArrival } from "../../shared/order-arrival";
import { ownLine } from "../../shared/own-line";
import { paths } from "../../shared/paths";
import { cardLabel, orderItemTotal, orderStatusLabel, taxLines, type Order, type OrderItem } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { buttonClass } from "../../shared/ui/button-class";
import { ShopLink } from "../../shared/ui/link";
import { Money } from "../../shared/ui/money";
import { Card } from "../../shared/ui/page";

/** An order that was just placed: its number and arrival, its items and costs, and what happens next. */
export function OrderConfirmation({ order, arrival, images, email }: OrderWithArrival & { email: string }) {
  return (
    <>
      <p className="mb-6 flex items-start gap-3 text-lg">
        <CircleCheck aria-hidden className="mt-0.5 size-6 shrink-0 text-ok" />
        <span>
          <ShopLink to={paths.order(order.id)} className="text-link">
            Order {order.number}
          </ShopLink>{" "}
          is confirmed. We emailed the receipt to {email}.
        </span>
      </p>
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_24rem]">
        <Card>
          <h2 className="mb-4 text-xl">Your items</h2>
          <ul className="divide-y divide-line border-b border-line pb-4">
            {order.items.map((item) => (
              <Item key={item.product_id} item={item} image={images.get(item.product_id)} />
            ))}
          </ul>
          <Costs order={order} />
        </Card>
        <div className="space-y-6">
          <Delivery order={order} arrival={arrival} />
          <NextSteps />
        </div>
      </div>
      <div className="no-print mt-6 flex flex-wrap gap-3">
        <ShopLink to={paths.products} className={buttonClass("primary")}>
          Continue Shopping
        </ShopLink>
        <Button onClick={() => window.print()}>
          <Printer aria-hidden className="size-4" />
          Print Order
        </Button>
      </div>
    </>
  );
}

function Item({ item, image }: { item: OrderItem; image: string | undefined }) {
  const frame = "size-20 shrink-0 rounded-field border border-line object-cover";
  return (
    <li className="flex items-center gap-4 py-4 first:pt-0">
      {image ? (
        <img src={image} alt="" width={80} height={80} className={frame} />
      ) : (
        <span aria-hidden className={`${frame} bg-line`} />
      )}
      <span className="min-w-0 grow">
        <span className="block font-medium wrap-anywhere">{item.product_name}</span>
        <span className="block text-sm text-muted">
          {item.quantity} × <Money amount={item.price} />
        </span>
      </span>
      <Money amount={orderItemTotal(item)} />
    </li>
  );
}

function Costs({ order }: { order: Order }) {
  const { card } = order.payment;
  return (
    <dl className="space-y-1.5 pt-4">
      <Row label="Subtotal">
        <Money amount={order.subtotal} />
      </Row>
      <Row label="Shipping">
        <Money amount={order.shipping_cost} />
      </Row>
      {order.tax_breakdown.length === 0 && (
        <Row label="Tax">
          <Money amount={order.tax} />
        </Row>
      )}
      {taxLines(order.tax_breakdown).map((tax) => (
        <Row key={tax.label} label={tax.label}>
          <Money amount={tax.amount} />
        </Row>
      ))}
      <div className="flex justify-between gap-4 border-t border-line pt-2.5 text-lg font-semibold">
        <dt>Total</dt>
        <dd>
          <Money amount={order.total} />
        </dd>
      </div>
      <Row label="Status">{orderStatusLabel(order.status)}</Row>
      {card && <Row label="Paid with">{cardLabel(card)}</Row>}
    </dl>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-muted">{label}</dt>
      <dd className="text-right">{children}</dd>
    </div>
  );
}

function Delivery({ order, arrival }: Pick<OrderWithArrival, "order" | "arrival">) {
  return (
    <Card>
      <h2 className="mb-3 flex items-center gap-2.5 text-xl">
        <Truck aria-hidden className="size-6 text-glow-ink" />
        {arrival === undefined ? "Delivery" : `Arrives ${arrival}`}
      </h2>
      <p className="whitespace-pre-line text-muted wrap-anywhere">{addressLabel(order.address)}</p>
    </Card>
  );
}

function NextSteps() {
  const line = ownLine();
  return (
    <Card>
      <h2 className="mb-3 text-xl">What happens next</h2>
      <ol className="list-decimal space-y-1.5 pl-5 marker:text-muted">
        <li>We pack your order.</li>
        <li>You get an email with the tracking number when it ships.</li>
        <li>
          {line === undefined ? (
            "Plug it in and write your first line. "
          ) : (
            <>
              Plug it in and write your line: <code className="schedule-line">{line}</code>{" "}
            </>
          )}
          <ShopLink to={line === undefined ? paths.tutorial : paths.scheduleLab} className="text-link">
            {line === undefined ? "Here’s how" : "It’s in the Lab"}
          </ShopLink>
          .
        </li>
      </ol>
    </Card>
  );
}
