import { useState } from "react";
import { useLocation, useNavigate, useRevalidator } from "react-router";
import { Button } from "../../shared/ui/button";
import { Notice } from "../../shared/ui/notice";
import { additionTo } from "./addition";
import { withoutCartLink, type CartLink } from "./cart-link";
import { CartLinkDialog } from "./cart-link-dialog";
import { readCart, writeCart } from "./cart-store";

interface Props {
  link: CartLink;
}

/** Asks whether to add the products of a cart link. The answer removes the link from the URL: it is asked only once. */
export function CartLinkQuestion({ link }: Props) {
  const [answered, setAnswered] = useState<CartLink>();
  const { search, hash } = useLocation();
  const navigate = useNavigate();

  function close() {
    setAnswered(link);
    void navigate({ search: withoutCartLink(search), hash }, { replace: true, preventScrollReset: true });
  }

  function add() {
    writeCart(additionTo(readCart(), link).cart);
    close();
  }

  return <CartLinkDialog link={link} isOpen={link !== answered} onAdd={add} onClose={close} />;
}

/** The products of a cart link could not be loaded. */
export function FailedCartLink() {
  const revalidator = useRevalidator();
  return (
    <div className="mx-auto mb-6 w-full max-w-6xl">
      <Notice kind="error">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <p>The products of this link couldn’t be loaded. Your cart is unchanged.</p>
          <Button onClick={() => void revalidator.revalidate()} disabled={revalidator.state !== "idle"}>
            Try Again
          </Button>
        </div>
      </Notice>
    </div>
  );
}
