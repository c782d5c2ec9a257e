import { useId, useState } from "react";
import { useFocusRestore } from "../../shared/focus";
import { cartLineId, paths } from "../../shared/paths";
import { cartSubtotal, type Cart } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { Money } from "../../shared/ui/money";
import { Card, Page } from "../../shared/ui/page";
import { useNavigateTo } from "../../shared/use-navigate-to";
import { useSession } from "../../shared/use-session";
import { CartLineRow } from "./cart-line-row";
import { EmptyCart } from "./empty-cart";
import { LoginWarning } from "./login-warning";
import { ShippingEstimate } from "./shipping-estimate";
import { firstUnderstockedLine, orderableLines } from "./orderable-lines";
import { UnsavedCartNotice } from "./unsaved-cart-notice";
import { useCart, useIsCartStored } from "./use-cart";

export function Component() {
  const cart = useCart();
  const [announcement, setAnnouncement] = useState("");
  useFocusRestore(announcement);
  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {cart.length === 0 ? (
        <EmptyCart title="Your Cart" />
      ) : (
        <FilledCart cart={cart} onRemoved={(name) => setAnnouncement(`${name} was removed from your cart.`)} />
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

/** The reason why this cart cannot be checked out. The checkout is another document, so it needs a stored cart. */
function useCheckoutBlocker(orderable: Cart): string | undefined {
  const isStored = useIsCartStored();
  if (orderable.length === 0) return "None of these items can be ordered right now.";
  return isStored ? undefined : "To check out, allow your browser to store your cart.";
}

function CartTotals({ cart }: { cart: Cart }) {
  const session = useSession();
  const navigateTo = useNavigateTo();
  const [warnings, setWarnings] = useState(0);
  const orderable = orderableLines(cart);
  const blocker = useCheckoutBlocker(orderable);
  const blockerId = useId();

  function proceed() {
    const understocked = firstUnderstockedLine(cart);
    if (understocked !== undefined) return focusQuantity(understocked.id);
    if (session.kind === "anonymous") setWarnings(warnings + 1);
    else navigateTo(paths.checkout);
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
        variant="primary"
        className="w-full"
        onClick={proceed}
        disabled={blocker !== undefined}
        aria-describedby={blocker && blockerId}
      >
        Proceed to Checkout
      </Button>
      {blocker !== undefined && (
        <p id={blockerId} className="text-muted">
          {blocker}
        </p>
      )}
      {/* A new key restarts the five seconds with each press. */}
      {warnings > 0 && <LoginWarning key={warnings} />}
    </Card>
  );
}

function focusQuantity(productId: string): void {
  document.getElementById(cartLineId(productId))?.querySelector("input")?.focus();
}
