import { Trash2 } from "lucide-react";
import { useState, type ChangeEvent } from "react";
import { paths } from "../../shared/paths";
import { lineTotal, quantityLimit, removeFromCart, setQuantity, type CartLine } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { TextField } from "../../shared/ui/field";
import { ShopLink } from "../../shared/ui/link";
import { Money } from "../../shared/ui/money";
import { readCart, writeCart } from "./cart-store";

export function CartLineRow({ line, onRemoved }: { line: CartLine; onRemoved: (name: string) => void }) {
  function remove() {
    writeCart(removeFromCart(readCart(), line.id));
    onRemoved(line.name);
  }

  return (
    <li className="flex gap-3 py-5 sm:gap-4 first:pt-0 last:pb-0">
      <img
        src={line.image}
        alt=""
        width={80}
        height={80}
        className="size-16 shrink-0 rounded-field border border-line max-[22rem]:hidden sm:size-20"
      />
      <div className="min-w-0 grow">
        <div className="flex flex-wrap justify-between gap-x-4">
          <h2 className="text-lg">
            <ShopLink to={paths.product(line.slug)} className="hover:underline">
              {line.name}
            </ShopLink>
          </h2>
          <p className="text-lg font-semibold">
            <Money amount={lineTotal(line)} />
          </p>
        </div>
        <p className="text-muted">
          <Money amount={line.price} /> each
        </p>
        <div className="mt-2 flex items-start justify-between gap-3">
          <QuantityField line={line} />
          <Button look="quiet" className="mt-7 px-3" aria-label={`Remove ${line.name}`} onClick={remove}>
            <Trash2 aria-hidden className="size-4" />
            Remove
          </Button>
        </div>
      </div>
    </li>
  );
}

/** What is being typed stays as typed; the cart follows each number the rules accept. */
function QuantityField({ line }: { line: CartLine }) {
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();

  function change(event: ChangeEvent<HTMLInputElement>) {
    setTyped(event.target.value);
    const result = setQuantity(readCart(), line.id, event.target.valueAsNumber);
    setError(result.ok ? undefined : result.error);
    if (result.ok) writeCart(result.cart);
  }

  function leave() {
    setTyped(undefined);
    setError(undefined);
  }

  return (
    <TextField
      isNarrow
      type="number"
      inputMode="numeric"
      label={
        <>
          Quantity<span className="sr-only"> of {line.name}</span>
        </>
      }
      min={1}
      max={Math.max(1, quantityLimit(line.available))}
      value={typed ?? line.quantity}
      onChange={change}
      onBlur={leave}
      error={error ?? shortOfStock(line)}
    />
  );
}

/** The shelf may have emptied since the line was put in. */
function shortOfStock(line: CartLine): string | undefined {
  if (line.quantity <= line.available) return undefined;
  return line.available === 0 ? "Out of Stock" : `Only ${line.available} left.`;
}
