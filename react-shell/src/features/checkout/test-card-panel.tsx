import { useImperativeHandle, useRef, useState } from "react";
import { loadDocument } from "../../shared/document-navigation";
import type { Address } from "../../shared/rules";
import { TextField } from "../../shared/ui/field";
import type { FieldErrors } from "../../shared/use-field-errors";
import { formatExpiry, formatCardNumber, isCard, readCard, type TypedCard } from "./card-validation";
import type { PaymentPanelProps, PaymentResult } from "./payment";
import { TEST_CARDS } from "./test-cards";
import { confirmWithCard } from "./mock-stripe";

const EMPTY: TypedCard = { number: "", expiry: "", cvc: "" };

/** The card form for test mode, which pays through the embedded mock of Stripe. */
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
    const { result, redirectUrl } = await confirmWithCard(payments, intent, read, billing, returnUrl);
    if (redirectUrl !== undefined) loadDocument(redirectUrl);
    return result;
  }

  useImperativeHandle(ref, () => ({ confirm }));

  function change(changes: Partial<TypedCard>) {
    const next = { ...card, ...changes };
    setCard(next);
    const found = readCard(next);
    setErrors((shown) =>
      isCard(found) ? {} : Object.fromEntries(Object.entries(shown).filter(([name]) => name in found)),
    );
  }

  return (
    <fieldset ref={panel} className="space-y-4">
      <legend className="sr-only">Card</legend>
      <TestCards onPick={(number) => change({ number: formatCardNumber(number), expiry: "12/34", cvc: "123" })} />
      <CardFields card={card} errors={errors} onChange={change} />
    </fieldset>
  );
}

interface CardFieldsProps {
  card: TypedCard;
  errors: FieldErrors;
  onChange: (changes: Partial<TypedCard>) => void;
}

function CardFields({ card, errors, onChange }: CardFieldsProps) {
  return (
    <>
      <TextField
        label="Card Number"
        name="number"
        inputMode="numeric"
        autoComplete="cc-number"
        placeholder="4242 4242 4242 4242"
        value={card.number}
        onChange={(event) => onChange({ number: formatCardNumber(event.target.value) })}
        error={errors["number"]}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label="Expiration Date"
          name="expiry"
          inputMode="numeric"
          autoComplete="cc-exp"
          placeholder="MM/YY"
          value={card.expiry}
          onChange={(event) => onChange({ expiry: formatExpiry(event.target.value) })}
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
          onChange={(event) => onChange({ cvc: event.target.value })}
          error={errors["cvc"]}
        />
      </div>
    </>
  );
}

function TestCards({ onPick }: { onPick: (number: string) => void }) {
  return (
    <div className="rounded-field border border-line bg-paper p-4">
      <p className="mb-2 font-medium">Test cards: select one to fill in the form.</p>
      <ul className="space-y-1">
        {TEST_CARDS.map(({ number, result }) => (
          <li key={number}>
            <button
              type="button"
              onClick={() => onPick(number)}
              className="rounded-lg px-2 py-1 text-left hover:bg-line/60"
            >
              <code className="font-semibold text-glow-ink underline underline-offset-4">
                {formatCardNumber(number)}
              </code>{" "}
              {result}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
