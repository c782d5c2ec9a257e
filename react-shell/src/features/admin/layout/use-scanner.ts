import { useEffect, useRef } from "react";
import { isTyping } from "../shared/use-shortcuts";

/** Text of a packing slip's QR code: the order number. `app/src/orders/packing_slip.rs` prints it. */
const ORDER_CODE = /NL-([1-9]\d*)$/;
/** Longest pause between two keys of a scanner, in milliseconds. */
const MAX_PAUSE = 250;

/**
 * Calls `onOrder` with the order number when a barcode scanner reads a packing slip. Such a scanner is a keyboard
 * (keyboard wedge): it types the code and presses Enter.
 */
export function useScanner(onOrder: (number: string) => void): void {
  const latest = useRef(onOrder);
  useEffect(() => {
    latest.current = onOrder;
  }, [onOrder]);

  useEffect(() => {
    let typed = "";
    let lastKeyAt = 0;

    function onKeyDown(event: KeyboardEvent) {
      if (event.key === "Shift" || isTyping(event)) return;
      if (event.timeStamp - lastKeyAt > MAX_PAUSE) typed = "";
      lastKeyAt = event.timeStamp;
      if (event.key !== "Enter") {
        typed = event.key.length === 1 ? typed + event.key : "";
        return;
      }
      const number = ORDER_CODE.exec(typed)?.[1];
      typed = "";
      if (number === undefined) return;
      // Otherwise Enter would press the focused link or button.
      event.preventDefault();
      latest.current(number);
    }

    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
