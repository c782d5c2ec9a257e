import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import { useRootData } from "../../shared/root-data";
import type { Cart, CartLine } from "../../shared/rules";
import { Notice } from "../../shared/ui/notice";
import { Card, Page } from "../../shared/ui/page";
import { loadCartLink, type CartLink } from "./cart-link";
import { CartLinkQuestion, FailedCartLink } from "./cart-link-question";
import { CartLineRow } from "./cart-line-row";
import { CartSummary } from "./cart-summary";
import { EmptyCart } from "./empty-cart";
import { lineBefore } from "./line-changes";
import { isOrderable } from "./orderable-lines";
import { RemovalNotice } from "./removal-notice";
import { UnsavedCartNotice } from "./unsaved-cart-notice";
import { useCart, useStockLimit } from "./use-cart";
import { useRemoval } from "./use-removal";

/** The cart link of the URL; null without one. If its products fail to load, the cart is shown all the same. */
export function loader({ request }: LoaderFunctionArgs): Promise<CartLink | "failed" | null> {
  return loadCartLink(request.url).catch(() => "failed");
}

export function Component() {
  const cart = useCart();
  const link = useLoaderData<Awaited<ReturnType<typeof loader>>>();
  const { removal, error, remove, undo } = useRemoval();
  useStockLimit(useRootData().cartProducts);
  return (
    <>
      {link === "failed" && <FailedCartLink />}
      {link !== null && link !== "failed" && <CartLinkQuestion link={link} />}
      <RemovalNotice removal={removal} error={error} onUndo={undo} />
      {cart.length === 0 ? <EmptyCart title="Your Cart" /> : <FilledCart cart={cart} onRemove={remove} />}
    </>
  );
}

function FilledCart({ cart, onRemove }: { cart: Cart; onRemove: (line: CartLine) => void }) {
  return (
    <Page title="Your Cart">
      <UnsavedCartNotice />
      {cart.some(hasChanged) && (
        <div className="mb-6">
          <Notice kind="info">Some items have changed since you added them.</Notice>
        </div>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
        <Card>
          <ul className="divide-y divide-line">
            {cart.map((line) => (
              <CartLineRow key={line.id} line={line} onRemove={onRemove} />
            ))}
          </ul>
        </Card>
        <CartSummary cart={cart} />
      </div>
    </Page>
  );
}

function hasChanged(line: CartLine): boolean {
  const { price, quantity } = lineBefore(line);
  return price !== undefined || quantity !== undefined || !isOrderable(line);
}
