import { CircleX, Trash2 } from "lucide-react";
import { useEffect, useRef, useState, type ChangeEvent } from "react";
import { useLocation } from "react-router";
import { cartLineId, paths } from "../../shared/paths";
import { useRootData } from "../../shared/root-data";
import { lineTotal, quantityLimit, removeFromCart, setQuantity, type CartLine } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { TextField } from "../../shared/ui/field";
import { ShopLink } from "../../shared/ui/link";
import { Money } from "../../shared/ui/money";
import { readCart, writeCart } from "./cart-store";
import { earlierPrice } from "./earlier-prices";
import { isOrderable } from "./line-state";

export function CartLineRow({ line, onRemoved }: { line: CartLine; onRemoved: (name: string) => void }) {
  const row = useLinkedRow(line.id);
  const isWithdrawn = useIsWithdrawn(line.id);
  const before = earlierPrice(line);
  function remove() {
    writeCart(removeFromCart(readCart(), line.id));
    onRemoved(line.name);
  }

  return (
    <li ref={row} id={cartLineId(line.id)} className="flex gap-3 py-5 sm:gap-4 first:pt-0 last:pb-0">
      <LinePicture line={line} isWithdrawn={isWithdrawn} />
      <div className="min-w-0 grow">
        <div className="flex flex-wrap justify-between gap-x-4">
          <h2 className="text-lg">
            {isWithdrawn ? (
              line.name
            ) : (
              <ShopLink to={paths.product(line.slug)} className="hover:underline">
                {line.name}
              </ShopLink>
            )}
          </h2>
          {isOrderable(line) && (
            <p className="text-lg font-semibold">
              <Money amount={lineTotal(line)} />
            </p>
          )}
        </div>
        <p className="text-muted">
          <Money amount={line.price} /> each
          {before !== undefined && (
            <span className="text-warn">
              {" "}
              · Price changed: it was <Money amount={before} />
            </span>
          )}
        </p>
        <div className={`mt-2 flex items-start justify-between gap-x-3 ${isOrderable(line) ? "" : "flex-wrap"}`}>
          {isOrderable(line) ? <QuantityField line={line} /> : <NotOrderable isWithdrawn={isWithdrawn} />}
          <Button
            look="quiet"
            className={isOrderable(line) ? "mt-7 px-3" : "ml-auto px-3"}
            aria-label={`Remove ${line.name}`}
            onClick={remove}
          >
            <Trash2 aria-hidden className="size-4" />
            Remove
          </Button>
        </div>
      </div>
    </li>
  );
}

/** A link that leads to this line puts the focus into it. */
function useLinkedRow(productId: string) {
  const row = useRef<HTMLLIElement>(null);
  const { hash } = useLocation();
  const isLinked = hash === `#${cartLineId(productId)}`;
  useEffect(() => {
    if (isLinked) row.current?.querySelector<HTMLElement>("input, button")?.focus();
  }, [isLinked]);
  return row;
}

/** Without a catalogue no line is said to be withdrawn. */
function useIsWithdrawn(productId: string): boolean {
  const { products } = useRootData();
  return products.length > 0 && !products.some((product) => product.id === productId);
}

function NotOrderable({ isWithdrawn }: { isWithdrawn: boolean }) {
  return (
    <p className="flex min-h-11 grow basis-44 items-center gap-2 text-bad">
      <CircleX aria-hidden className="size-4 shrink-0" />
      <span>{isWithdrawn ? "No longer available." : "Out of Stock."} Not included in the total.</span>
    </p>
  );
}

/** What is being typed stays as typed; the cart follows each number the rules accept. */
/** A product that is not for sale has no picture: its place stays, so that the lines are aligned. */
function LinePicture({ line, isWithdrawn }: { line: CartLine; isWithdrawn: boolean }) {
  const place = "size-16 shrink-0 rounded-field border border-line max-[22rem]:hidden sm:size-20";
  if (isWithdrawn) return <span className={`${place} bg-line`} aria-hidden="true" />;
  return <img src={line.image} alt="" width={80} height={80} className={place} />;
}

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
  return line.quantity > line.available ? `Only ${line.available} left.` : undefined;
}
