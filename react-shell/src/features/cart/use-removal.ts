import { useState } from "react";
import { flushSync } from "react-dom";
import { removeFromCart, restoreCartLine, type CartLine } from "../../shared/rules";
import { focusLine } from "./focus-line";
import { readCart, writeCart } from "./cart-store";

/** A line that was removed, and its place. */
export interface Removal {
  line: CartLine;
  position: number;
}

/** Removes lines, and puts the last one back. */
export function useRemoval() {
  const [removal, setRemoval] = useState<Removal>();
  const [error, setError] = useState<string>();

  function remove(line: CartLine) {
    const cart = readCart();
    setRemoval({ line, position: cart.findIndex(({ id }) => id === line.id) });
    setError(undefined);
    writeCart(removeFromCart(cart, line.id));
  }

  function undo({ line, position }: Removal) {
    const result = restoreCartLine(readCart(), line, position);
    if (!result.ok) return setError(result.error);
    flushSync(() => {
      setRemoval(undefined);
      writeCart(result.cart);
    });
    focusLine(line.id);
  }

  return { removal, error, remove, undo };
}
