import { useState } from "react";
import { flushSync } from "react-dom";
import { removeFromCart, restoreCartLine, type CartLine } from "../../shared/rules";
import { focusLine } from "./focus-line";
import { readCart, writeCart } from "./cart-store";
import { lineBefore, restoreChange, type LineBefore } from "./line-changes";

/** A line that was removed, its place, and what the catalog had changed about it. */
export interface Removal {
  line: CartLine;
  position: number;
  before: LineBefore;
}

/** Removes lines, and puts the last one back. */
export function useRemoval() {
  const [removal, setRemoval] = useState<Removal>();
  const [error, setError] = useState<string>();

  function remove(line: CartLine) {
    const cart = readCart();
    setRemoval({ line, position: cart.findIndex(({ id }) => id === line.id), before: lineBefore(line) });
    setError(undefined);
    writeCart(removeFromCart(cart, line.id));
  }

  function undo({ line, position, before }: Removal) {
    const result = restoreCartLine(readCart(), line, position);
    if (!result.ok) return setError(result.error);
    flushSync(() => {
      setRemoval(undefined);
      restoreChange(line, before);
      writeCart(result.cart);
    });
    focusLine(line.id);
  }

  return { removal, error, remove, undo };
}
