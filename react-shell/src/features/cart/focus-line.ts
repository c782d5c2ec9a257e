import { useEffect } from "react";
import { useLocation } from "react-router";
import { cartLineId } from "../../shared/paths";

/** Focuses a line's quantity, or the only button of a sold-out line. */
export function focusLine(productId: string): void {
  const row = document.getElementById(cartLineId(productId));
  (row?.querySelector("input") ?? row?.querySelector("button"))?.focus();
}

/** Focuses the first quantity that cannot be ordered as it is typed. Returns whether there is one. */
export function focusInvalidQuantity(): boolean {
  const field = document.querySelector<HTMLInputElement>("#page input.quantity-field[aria-invalid]");
  field?.focus();
  return field !== null;
}

/** Focuses the line that the URL fragment links to. */
export function useLinkedLineFocus(productId: string): void {
  const { hash } = useLocation();
  const isLinked = hash === `#${cartLineId(productId)}`;
  useEffect(() => {
    if (isLinked) focusLine(productId);
  }, [isLinked, productId]);
}
