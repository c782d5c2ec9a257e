import { useEffect, useState, type FormEvent } from "react";
import { ADDED_NOTICE_MS } from "../../shared/delays";
import { paths } from "../../shared/paths";
import { addToCart, quantityLimit, type Product } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { TextField } from "../../shared/ui/field";
import { ShopLink, TEXT_LINK } from "../../shared/ui/link";
import { Notice } from "../../shared/ui/notice";
import { readCart, writeCart } from "../cart/cart-store";

/** Instant: the rules run here, and the cart lies in this browser. */
export function AddToCart({ product }: { product: Product }) {
  const [quantity, setQuantity] = useState("1");
  const [error, setError] = useState<string>();
  const [added, setAdded] = useState(0);
  const isSoldOut = product.available === 0;

  function add(event: FormEvent) {
    event.preventDefault();
    const result = addToCart(readCart(), product, Number(quantity));
    setError(result.ok ? undefined : result.error);
    if (!result.ok) return;
    writeCart(result.cart);
    setAdded((times) => times + 1);
  }

  return (
    <form onSubmit={add} noValidate className="space-y-4">
      <TextField
        isNarrow
        label="Quantity"
        type="number"
        inputMode="numeric"
        min={1}
        max={Math.max(1, quantityLimit(product.available))}
        value={quantity}
        disabled={isSoldOut}
        onChange={(event) => {
          setQuantity(event.target.value);
          setError(undefined);
        }}
      />
      <Button type="submit" look="primary" className="w-full" disabled={isSoldOut}>
        Add to Cart
      </Button>
      {error !== undefined && <Notice kind="bad">{error}</Notice>}
      <AddedNotice times={added} name={product.name} />
    </form>
  );
}

/** Floats over the page, which does not move. The region is there from the start, so that a reader hears the change. */
function AddedNotice({ times, name }: { times: number; name: string }) {
  const [over, setOver] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setOver(times), ADDED_NOTICE_MS);
    return () => clearTimeout(timer);
  }, [times]);

  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 z-40 flex justify-center px-4 max-sm:top-20 sm:bottom-6"
    >
      {times > over && (
        <p className="pointer-events-auto rounded-field border border-line bg-card px-5 py-3 shadow-float">
          {name} was added to your cart.{" "}
          <ShopLink to={paths.cart} className={TEXT_LINK}>
            View Cart
          </ShopLink>
        </p>
      )}
    </div>
  );
}
