import { useImperativeHandle, useRef, useState } from "react";
import { followLink } from "../../shared/document-navigation";
import type { Address } from "../../shared/rules";
import { TextField } from "../../shared/ui/field";
import type { FieldErrors } from "../../shared/use-field-errors";
import { groupExpiry, groupNumber, isCard, readCard, type TypedCard } from "./card-rules";
import type { PaymentPanelProps, PaymentResult } from "./payment";
import { TEST_CARDS } from "./test-cards";
import { confirmWithCard } from "./test-provider";

const EMPTY: TypedCard = { number: "", expiry: "", cvc: "" };

/** The card form of the embedded test provider. No real card belongs here, and none is kept. */
export function TestCardPanel({ ref, intent, payments }: PaymentPanelProps) {
  const [card, setCard] = useState<TypedCard>(EMPTY);
  const [errors, setErrors] = useState<FieldErrors>({});
  const panel = useRef<HTMLFieldSetElement>(null);

  async function confirm(billing: Address, returnUrl: string): Promise<PaymentResult> {
    const read = readCard(card);
    if (!isCard(read)) {
      setErrors(read);
      panel.current?.querySelector<HTMLElement>(`[name="${Object.keys(read)[0]}"]`)?.focus();
      return { kind: "incomplete" };
    }
    const { result, leaveTo } = await confirmWithCard(payments, intent, read, billing, returnUrl);
    if (leaveTo !== undefined) followLink(leaveTo);
    return result;
  }

  useImperativeHandle(ref, () => ({ confirm }));

  function change(part: Partial<TypedCard>) {
    const next = { ...card, ...part };
    setCard(next);
    const found = readCard(next);
    setErrors((shown) =>
      isCard(found) ? {} : Object.fromEntries(Object.entries(shown).filter(([name]) => name in found)),
    );
  }

  return (
    <fieldset ref={panel} className="space-y-4">
      <legend className="sr-only">Card</legend>
      <TestCards onPick={(number) => change({ number: groupNumber(number), expiry: "12/34", cvc: "123" })} />
      <TextField
        label="Card Number"
        name="number"
        inputMode="numeric"
        autoComplete="cc-number"
        placeholder="4242 4242 4242 4242"
        value={card.number}
        onChange={(event) => change({ number: groupNumber(event.target.value) })}
        error={errors["number"]}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label="Expiry Date"
          name="expiry"
          inputMode="numeric"
          autoComplete="cc-exp"
          placeholder="MM/YY"
          value={card.expiry}
          onChange={(event) => change({ expiry: groupExpiry(event.target.value) })}
          error={errors["expiry"]}
        />
        <TextField
          label="Security Code"
          name="cvc"
          inputMode="numeric"
          autoComplete="cc-csc"
          maxLength={4}
          placeholder="123"
          value={card.cvc}
          onChange={(event) => change({ cvc: event.target.value })}
          error={errors["cvc"]}
        />
      </div>
    </fieldset>
  );
}

function TestCards({ onPick }: { onPick: (number: string) => void }) {
  return (
    <div className="rounded-field border border-line bg-paper p-4">
      <p className="mb-2 font-medium">Test cards: press one to fill in the form.</p>
      <ul className="space-y-1">
        {TEST_CARDS.map(({ number, meaning }) => (
          <li key={number}>
            <button
              type="button"
              onClick={() => onPick(number)}
              className="rounded-lg px-2 py-1 text-left hover:bg-line/60"
            >
              <code className="font-semibold text-glow-ink underline underline-offset-4">{groupNumber(number)}</code>{" "}
              {meaning}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
