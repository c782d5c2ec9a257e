import { useId, useState } from "react";
import { useFocusKept } from "../../shared/focus";
import { cartLineId, paths } from "../../shared/paths";
import { cartSubtotal, type Cart } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { buttonClass } from "../../shared/ui/button-class";
import { ShopLink } from "../../shared/ui/link";
import { Money } from "../../shared/ui/money";
import { Card, Page } from "../../shared/ui/page";
import { useGo } from "../../shared/use-go";
import { useSession } from "../../shared/use-session";
import { CartLineRow } from "./cart-line-row";
import { LoginWarning } from "./login-warning";
import { ShippingEstimate } from "./shipping-estimate";
import { firstShortLine, orderableLines } from "./line-state";
import { UnsavedCartNotice } from "./unsaved-cart-notice";
import { useCart, useIsCartStored } from "./use-cart";

export function Component() {
  const cart = useCart();
  const [news, setNews] = useState("");
  useFocusKept(news);
  return (
    <>
      <p role="status" className="sr-only">
        {news}
      </p>
      {cart.length === 0 ? (
        <EmptyCart />
      ) : (
        <FilledCart cart={cart} onRemoved={(name) => setNews(`${name} was removed from your cart.`)} />
      )}
    </>
  );
}

function FilledCart({ cart, onRemoved }: { cart: Cart; onRemoved: (name: string) => void }) {
  return (
    <Page title="Your Cart">
      <UnsavedCartNotice />
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
        <Card>
          <ul className="divide-y divide-line">
            {cart.map((line) => (
              <CartLineRow key={line.id} line={line} onRemoved={onRemoved} />
            ))}
          </ul>
        </Card>
        <CartTotals cart={cart} />
      </div>
    </Page>
  );
}

/** Why this cart cannot be checked out. The checkout is another document, which a cart in memory does not reach. */
function hindranceTo(orderable: Cart, isStored: boolean): string | undefined {
  if (orderable.length === 0) return "None of these items can be ordered right now.";
  return isStored ? undefined : "Your browser has to store your cart before you can check out.";
}

function EmptyCart() {
  return (
    <Page title="Your Cart" width="text">
      <p className="mb-6 text-lg">Your cart is empty.</p>
      <ShopLink to={paths.products} className={buttonClass("primary")}>
        See the lights
      </ShopLink>
    </Page>
  );
}

function CartTotals({ cart }: { cart: Cart }) {
  const who = useSession();
  const go = useGo();
  const [warnings, setWarnings] = useState(0);

  const isStored = useIsCartStored();
  const orderable = orderableLines(cart);
  const hindrance = useId();
  const whyNot = hindranceTo(orderable, isStored);

  function proceed() {
    const short = firstShortLine(cart);
    if (short !== undefined) return document.getElementById(cartLineId(short.id))?.querySelector("input")?.focus();
    if (who.kind === "anonymous") setWarnings(warnings + 1);
    else go(paths.checkout);
  }

  return (
    <Card className="space-y-4 lg:sticky lg:top-6">
      <h2 className="text-xl">Summary</h2>
      <p className="flex justify-between gap-4 text-lg font-semibold">
        <span>Total</span>
        <Money amount={cartSubtotal(orderable)} />
      </p>
      <ShippingEstimate cart={orderable} />
      <Button
        look="primary"
        className="w-full"
        onClick={proceed}
        disabled={whyNot !== undefined}
        aria-describedby={whyNot && hindrance}
      >
        Proceed to Checkout
      </Button>
      {whyNot !== undefined && (
        <p id={hindrance} className="text-muted">
          {whyNot}
        </p>
      )}
      {/* Each press warns anew, for its own five seconds. */}
      {warnings > 0 && <LoginWarning key={warnings} />}
    </Card>
  );
}
