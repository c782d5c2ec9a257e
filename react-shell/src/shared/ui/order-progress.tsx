import { Check, CircleAlert, PackageCheck, PackageOpen, ShoppingBag, Truck, type LucideIcon } from "lucide-react";
import type { OrderWithArrival } from "../order-arrival";
import { trackingLink, type Order, type OrderStatus } from "../rules";
import { thumbnail } from "../thumbnail";
import { StatusBadge } from "./badge";
import { buttonClass } from "./button-class";
import { Card } from "./page";

type Progressing = Exclude<OrderStatus, "refunded">;

const STEPS: { status: Progressing; label: string; icon: LucideIcon }[] = [
  { status: "pending", label: "Ordered", icon: ShoppingBag },
  { status: "processing", label: "Packed", icon: PackageOpen },
  { status: "shipped", label: "Shipped", icon: Truck },
  { status: "delivered", label: "Delivered", icon: PackageCheck },
];

const HEADINGS: Record<OrderStatus, string> = {
  pending: "Order received",
  processing: "Your order is packed",
  shipped: "Your order is on its way",
  delivered: "Your order has arrived",
  refunded: "Your order was refunded",
};

/** How far an order is, and when it arrives. Not printed: the receipt below has all that print needs. */
export function OrderProgress({ order, arrival, images }: OrderWithArrival) {
  const { status } = order;
  return (
    <Card className="no-print mb-6 space-y-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="text-xl">{HEADINGS[status]}</h2>
        <StatusBadge status={status} />
      </div>
      <Pictures order={order} images={images} />
      {status === "refunded" ? <Refunded /> : <Steps status={status} />}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        {arrival !== undefined && <p className="font-semibold">Arrives {arrival}</p>}
        <Tracking order={order} />
      </div>
    </Card>
  );
}

/** The items that the shop still lists. */
function Pictures({ order, images }: Pick<OrderWithArrival, "order" | "images">) {
  return (
    <ul className="flex flex-wrap gap-3 empty:hidden">
      {order.items.map(({ product_id: id, product_name: name }) => {
        const image = images.get(id);
        if (image === undefined) return null;
        return (
          <li key={id}>
            <img
              src={thumbnail(image)}
              alt={name}
              width={64}
              height={64}
              className="size-16 rounded-field border border-line object-cover"
            />
          </li>
        );
      })}
    </ul>
  );
}

function Steps({ status }: { status: Progressing }) {
  const current = STEPS.findIndex((step) => step.status === status);
  return (
    <ol className="isolate grid grid-cols-4">
      {STEPS.map(({ label, icon }, index) => (
        <Step key={label} label={label} icon={index < current ? Check : icon} place={Math.sign(index - current)} />
      ))}
    </ol>
  );
}

interface StepProps {
  label: string;
  icon: LucideIcon;
  /** Below zero for a step that is done, zero for the current one, above for one to come. */
  place: number;
}

function Step({ label, icon: Icon, place }: StepProps) {
  const isReached = place <= 0;
  const line = `before:absolute before:top-5 before:right-1/2 before:-z-10 before:h-0.5 before:w-full first:before:hidden ${isReached ? "before:bg-glow" : "before:bg-line"}`;
  return (
    <li
      aria-current={place === 0 ? "step" : undefined}
      className={`relative flex flex-col items-center gap-1.5 text-center text-sm ${line}`}
    >
      <span
        className={`flex size-10 items-center justify-center rounded-full border-2 ${
          isReached ? "border-glow bg-glow text-on-glow" : "border-line bg-card text-muted"
        }`}
      >
        <Icon aria-hidden className="size-5" />
      </span>
      <span className={place === 0 ? "font-semibold" : isReached ? "" : "text-muted"}>
        {label}
        {place < 0 && <span className="sr-only">: done</span>}
      </span>
    </li>
  );
}

function Refunded() {
  return (
    <p className="flex items-start gap-3">
      <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
      <span>Refunded. Refunds take 5–10 business days to appear.</span>
    </p>
  );
}

/** The carrier's page, if the number tells which carrier it is. */
function Tracking({ order }: { order: Order }) {
  if (order.tracking_number === null) return null;
  const link = trackingLink(order.tracking_number);
  if (link === undefined) return <p className="text-muted">Tracking number: {order.tracking_number}</p>;
  return (
    <a href={link.url} className={buttonClass("primary")}>
      <Truck aria-hidden className="size-4" />
      Track with {link.carrier}
    </a>
  );
}
