import { useId, useRef, useState, type ChangeEvent } from "react";
import { quantityLimit, setQuantity, type CartLine } from "../../shared/rules";
import { StepButton } from "../../shared/ui/step-button";
import { readCart, writeCart } from "./cart-store";

interface Props {
  line: CartLine;
  /** Said below while the quantity is valid. */
  note?: string | undefined;
}

/** The quantity between two buttons, as on the product page. The cart changes with each valid quantity; invalid text stays
 * in the field, and the cart keeps the quantity from before it was typed. */
export function QuantityStepper({ line, note }: Props) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();
  const quantityBefore = useRef(line.quantity);
  const limit = Math.max(1, quantityLimit(line.available));
  const message = error ?? note ?? limitNote(line, limit);

  function change(quantity: number): boolean {
    const result = setQuantity(readCart(), line.id, quantity);
    setError(result.ok ? undefined : result.error);
    if (result.ok) writeCart(result.cart);
    return result.ok;
  }

  function type({ target }: ChangeEvent<HTMLInputElement>) {
    if (typed === undefined) quantityBefore.current = line.quantity;
    setTyped(target.value);
    if (change(target.valueAsNumber)) return;
    // The first digits of 500 are a valid quantity, too.
    const kept = setQuantity(readCart(), line.id, quantityBefore.current);
    if (kept.ok) writeCart(kept.cart);
  }

  function leave() {
    if (error === undefined) setTyped(undefined);
  }

  function reset() {
    setTyped(undefined);
    setError(undefined);
  }

  function step(by: 1 | -1) {
    reset();
    const quantity = line.quantity + by;
    if (quantity >= 1 && (by < 0 || quantity <= limit)) change(quantity);
  }

  return (
    <div className="min-w-0 flex-1 basis-40">
      <label htmlFor={id} className="sr-only">
        Quantity of {line.name}
      </label>
      <div className="quantity">
        <StepButton label={`One fewer ${line.name}`} isAtLimit={line.quantity <= 1} onClick={() => step(-1)}>
          −
        </StepButton>
        <input
          id={id}
          type="number"
          inputMode="numeric"
          min={1}
          max={limit}
          required
          className="quantity-field"
          value={typed ?? line.quantity}
          onChange={type}
          onBlur={leave}
          aria-describedby={`${id}-message`}
          {...(error !== undefined && { "aria-invalid": true })}
        />
        <StepButton label={`One more ${line.name}`} isAtLimit={line.quantity >= limit} onClick={() => step(1)}>
          +
        </StepButton>
      </div>
      <p
        id={`${id}-message`}
        aria-live="polite"
        className={`text-sm ${message === undefined ? "" : "mt-1.5"} ${error === undefined ? "text-warn" : "text-bad"}`}
      >
        {message}
      </p>
    </div>
  );
}

function limitNote({ quantity, available }: CartLine, limit: number): string | undefined {
  if (quantity < limit) return undefined;
  return available > limit ? `At most ${limit} per order.` : `Only ${limit} left.`;
}
