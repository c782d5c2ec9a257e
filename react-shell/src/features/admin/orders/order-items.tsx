import type { ReactNode } from "react";
import { orderItemTotal, taxLines, type Order } from "../../../shared/rules";
import { Money } from "../../../shared/ui/money";
import { Card } from "../../../shared/ui/page";

interface Props {
  order: Order;
  /** Items still to be packed. Only administrators have them. */
  owed?: Order["items"];
  /** Further terms of the list of amounts. */
  balance?: ReactNode;
}

/** The order's items and totals. */
export function OrderItems({ order, owed, balance }: Props) {
  return (
    <Card>
      <h2 className="mb-4 text-xl">Items</h2>
      {order.items.length === 0 ? (
        <p>No items found for this order.</p>
      ) : (
        <table className="w-full text-left">
          <thead className="text-sm text-muted">
            <tr>
              <th scope="col" className="pb-2 font-medium">
                Product
              </th>
              <th scope="col" className="pb-2 pl-3 text-right font-medium max-sm:hidden">
                Price
              </th>
              <th scope="col" className="pb-2 pl-3 text-right font-medium">
                Quantity
              </th>
              <th scope="col" className="pb-2 pl-3 text-right font-medium">
                Total
              </th>
            </tr>
          </thead>
          <tbody>
            {order.items.map((item) => (
              <tr key={item.product_id}>
                <td className="border-t border-line py-3 break-words">
                  {item.product_name}
                  {item.warranty_months !== undefined && (
                    <span className="block text-sm text-muted">Warranty (months): {item.warranty_months}</span>
                  )}
                  <ToPack order={order} item={item} owed={owed} />
                </td>
                <td className="border-t border-line py-3 pl-3 text-right max-sm:hidden">
                  <Money amount={item.price} />
                </td>
                <td className="border-t border-line py-3 pl-3 text-right tabular-nums">{item.quantity}</td>
                <td className="border-t border-line py-3 pl-3 text-right">
                  <Money amount={orderItemTotal(item)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Amounts order={order} balance={balance} />
    </Card>
  );
}

/** How many units are to be packed, if some are refunded and the order is not shipped yet. */
function ToPack({ order, item, owed }: { order: Order; item: Order["items"][number]; owed: Props["owed"] }) {
  if (owed === undefined || (order.status !== "pending" && order.status !== "processing")) return null;
  const quantity = owed.find(({ product_id: id }) => id === item.product_id)?.quantity ?? 0;
  if (quantity === item.quantity) return null;
  return (
    <span className="block text-sm text-muted">
      {quantity === 0 ? "Refunded: don’t pack" : `To pack: ${quantity} of ${item.quantity}`}
    </span>
  );
}

function Amounts({ order, balance }: Props) {
  const { payment } = order;
  const taxes = taxLines(order.tax_breakdown);
  return (
    <dl className="mt-4 ml-auto grid max-w-sm grid-cols-[1fr_auto] gap-x-6 gap-y-1 border-t border-line pt-4">
      <Line label="Subtotal" amount={order.subtotal} />
      <Line label="Shipping" amount={order.shipping_cost} />
      {taxes.length === 0 ? (
        <Line label="Tax" amount={order.tax} />
      ) : (
        taxes.map((tax) => <Line key={tax.label} label={tax.label} amount={tax.amount} />)
      )}
      <dt className="font-semibold">Total</dt>
      <dd className="text-right font-semibold">
        <Money amount={order.total} />
      </dd>
      {payment.refunded > 0 && (
        <>
          <dt className="text-muted">Refunded</dt>
          <dd className="text-right text-muted">
            <Money amount={-payment.refunded} />
          </dd>
        </>
      )}
      {balance}
    </dl>
  );
}

function Line({ label, amount }: { label: string; amount: number }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="text-right">
        <Money amount={amount} />
      </dd>
    </>
  );
}
