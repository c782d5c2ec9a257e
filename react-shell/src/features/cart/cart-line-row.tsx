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
import { previousPrice } from "./previous-prices";
import { isOrderable } from "./orderable-lines";

export function CartLineRow({ line, onRemoved }: { line: CartLine; onRemoved: (name: string) => void }) {
  const row = useLinkedRow(line.id);
  const isUnlisted = useIsUnlisted(line.id);
  const oldPrice = previousPrice(line);
  function remove() {
    writeCart(removeFromCart(readCart(), line.id));
    onRemoved(line.name);
  }

  return (
    <li ref={row} id={cartLineId(line.id)} className="flex gap-3 py-5 sm:gap-4 first:pt-0 last:pb-0">
      <LineImage line={line} isUnlisted={isUnlisted} />
      <div className="min-w-0 grow">
        <div className="flex flex-wrap justify-between gap-x-4">
          <h2 className="text-lg">
            {isUnlisted ? (
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
          {oldPrice !== undefined && (
            <span className="text-warn">
              {" "}
              · Price changed from <Money amount={oldPrice} />
            </span>
          )}
        </p>
        <div className={`mt-2 flex items-start justify-between gap-x-3 ${isOrderable(line) ? "" : "flex-wrap"}`}>
          {isOrderable(line) ? <QuantityField line={line} /> : <NotOrderable isUnlisted={isUnlisted} />}
          <Button
            variant="ghost"
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

/** Focuses the line that the URL fragment links to. */
function useLinkedRow(productId: string) {
  const row = useRef<HTMLLIElement>(null);
  const { hash } = useLocation();
  const isLinked = hash === `#${cartLineId(productId)}`;
  useEffect(() => {
    if (isLinked) row.current?.querySelector<HTMLElement>("input, button")?.focus();
  }, [isLinked]);
  return row;
}

/** Whether the catalog no longer lists the product; false if the catalog could not be loaded. */
function useIsUnlisted(productId: string): boolean {
  const { products } = useRootData();
  return products.length > 0 && !products.some((product) => product.id === productId);
}

function NotOrderable({ isUnlisted }: { isUnlisted: boolean }) {
  return (
    <p className="flex min-h-11 grow basis-44 items-center gap-2 text-bad">
      <CircleX aria-hidden className="size-4 shrink-0" />
      <span>{isUnlisted ? "No longer available." : "Out of Stock."} Not included in the total.</span>
    </p>
  );
}

/** The product image. An unlisted product has none; an empty box keeps the lines aligned. */
function LineImage({ line, isUnlisted }: { line: CartLine; isUnlisted: boolean }) {
  const className = "size-16 shrink-0 rounded-field border border-line max-[22rem]:hidden sm:size-20";
  if (isUnlisted) return <span className={`${className} bg-line`} aria-hidden="true" />;
  return <img src={line.image} alt="" width={80} height={80} className={className} />;
}

/** The quantity input. Invalid text stays in the field; the cart changes with each valid quantity. */
function QuantityField({ line }: { line: CartLine }) {
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();

  function change(event: ChangeEvent<HTMLInputElement>) {
    setTyped(event.target.value);
    const result = setQuantity(readCart(), line.id, event.target.valueAsNumber);
    setError(result.ok ? undefined : result.error);
    if (result.ok) writeCart(result.cart);
  }

  function reset() {
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
      onBlur={reset}
      error={error ?? lowStockError(line)}
    />
  );
}

/** The stock may have dropped since the line was added. */
function lowStockError(line: CartLine): string | undefined {
  return line.quantity > line.available ? `Only ${line.available} left.` : undefined;
}
