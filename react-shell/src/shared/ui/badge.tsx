import { CircleCheck, CircleX, Clock3, PackageCheck, RotateCcw, TriangleAlert, Truck, Wrench } from "lucide-react";
import { orderStatusLabel, stockBadge, stockLabel, type OrderStatus, type StockBadge as StockLevel } from "../rules";

const SHAPE =
  "inline-flex items-center gap-1.5 rounded-full border border-current px-2.5 py-0.5 text-sm font-medium whitespace-nowrap";

const STOCK: Record<StockLevel, { icon: typeof CircleCheck; color: string }> = {
  in_stock: { icon: CircleCheck, color: "text-ok" },
  low_stock: { icon: TriangleAlert, color: "text-warn" },
  out_of_stock: { icon: CircleX, color: "text-bad" },
};

export function StockBadge({ available }: { available: number }) {
  const { icon: Icon, color } = STOCK[stockBadge(available)];
  return (
    <span className={`${SHAPE} ${color}`}>
      <Icon aria-hidden className="size-4" />
      {stockLabel(available)}
    </span>
  );
}

const STATUS: Record<OrderStatus, { icon: typeof CircleCheck; color: string }> = {
  pending: { icon: Clock3, color: "text-warn" },
  processing: { icon: Wrench, color: "text-glow-ink" },
  shipped: { icon: Truck, color: "text-ok" },
  delivered: { icon: PackageCheck, color: "text-ok" },
  refunded: { icon: RotateCcw, color: "text-muted" },
};

export function StatusBadge({ status }: { status: OrderStatus }) {
  const { icon: Icon, color } = STATUS[status];
  return (
    <span className={`${SHAPE} ${color}`}>
      <Icon aria-hidden className="size-4" />
      {orderStatusLabel(status)}
    </span>
  );
}
