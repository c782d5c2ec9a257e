import { useId } from "react";
import { formatMoney } from "../../../../shared/rules";
import { CheckboxField } from "../../../../shared/ui/field";
import { StepButton } from "../../../../shared/ui/step-button";
import type { RefundableParts } from "./api";
import { chosenQuantity, type RefundDraft } from "./refund-draft";

interface Props {
  draft: RefundDraft;
  left: RefundableParts;
  onChange: (change: Partial<RefundDraft>) => void;
}

/** The items to refund with their quantities, shipping, and whether the items return to stock. */
export function RefundItems({ draft, left, onChange }: Props) {
  function choose(productId: string, quantity: number) {
    onChange({ quantities: { ...draft.quantities, [productId]: quantity } });
  }

  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {left.lines.map((line) => (
          <RefundQuantity
            key={line.product_id}
            line={line}
            quantity={chosenQuantity(draft, line)}
            onChange={(quantity) => choose(line.product_id, quantity)}
          />
        ))}
      </ul>
      {left.shipping > 0 && (
        <CheckboxField
          label={`Refund shipping (${formatMoney(left.shipping)})`}
          checked={draft.shipping}
          onChange={(event) => onChange({ shipping: event.target.checked })}
        />
      )}
      <CheckboxField
        label="Restock the items"
        checked={draft.restock}
        onChange={(event) => onChange({ restock: event.target.checked })}
      />
    </>
  );
}

interface QuantityProps {
  line: RefundableParts["lines"][number];
  quantity: number;
  onChange: (quantity: number) => void;
}

function RefundQuantity({ line, quantity, onChange }: QuantityProps) {
  const id = useId();
  const name = line.product_name;
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <label htmlFor={id} className="min-w-0 break-words">
        {name}
        <span className="block text-sm text-muted" id={`${id}-left`}>
          {line.quantity === 0 ? "Refunded" : `${line.quantity} left to refund`}
        </span>
      </label>
      {line.quantity > 0 && (
        <div className="quantity">
          <StepButton
            label={`One fewer ${name}`}
            isAtLimit={quantity <= 0}
            onClick={() => quantity > 0 && onChange(quantity - 1)}
          >
            −
          </StepButton>
          <input
            id={id}
            type="number"
            inputMode="numeric"
            min={0}
            max={line.quantity}
            className="quantity-field"
            aria-describedby={`${id}-left`}
            value={quantity}
            onChange={({ target }) => onChange(clamp(target.valueAsNumber, line.quantity))}
          />
          <StepButton
            label={`One more ${name}`}
            isAtLimit={quantity >= line.quantity}
            onClick={() => quantity < line.quantity && onChange(quantity + 1)}
          >
            +
          </StepButton>
        </div>
      )}
    </li>
  );
}

/** A whole number from 0 to the limit; an empty field counts as 0. */
function clamp(typed: number, limit: number): number {
  return Number.isNaN(typed) ? 0 : Math.max(0, Math.min(Math.trunc(typed), limit));
}
