import { ChevronDown } from "lucide-react";
import { useId, useImperativeHandle, useRef, useState } from "react";
import { loadDocument } from "../../shared/document-navigation";
import type { Address } from "../../shared/rules";
import { TextField } from "../../shared/ui/field";
import type { FieldErrors } from "../../shared/use-field-errors";
import { CardBrandIcon } from "./card-brand";
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

  /** Shows the error of a field that was left with text in it. */
  function leave(name: keyof TypedCard) {
    const found = readCard(card);
    const error = isCard(found) ? undefined : found[name];
    if (error !== undefined && card[name] !== "") setErrors((shown) => ({ ...shown, [name]: error }));
  }

  return (
    <fieldset ref={panel} className="space-y-4">
      <legend className="sr-only">Card</legend>
      <TestCards onPick={(number) => change({ number: formatCardNumber(number), expiry: "12/34", cvc: "123" })} />
      <CardFields card={card} errors={errors} onChange={change} onLeave={leave} />
    </fieldset>
  );
}

interface CardFieldsProps {
  card: TypedCard;
  errors: FieldErrors;
  onChange: (changes: Partial<TypedCard>) => void;
  onLeave: (name: keyof TypedCard) => void;
}

function CardFields({ card, errors, onChange, onLeave }: CardFieldsProps) {
  return (
    <>
      <div className="relative">
        <TextField
          label="Card Number"
          name="number"
          inputMode="numeric"
          autoComplete="cc-number"
          placeholder="4242 4242 4242 4242"
          value={card.number}
          onChange={(event) => onChange({ number: formatCardNumber(event.target.value) })}
          onBlur={() => onLeave("number")}
          error={errors["number"]}
        />
        {/* Below the label's line, centered in the input. */}
        <span className="pointer-events-none absolute top-[2.375rem] right-3">
          <CardBrandIcon number={card.number.replace(/ /g, "")} />
        </span>
      </div>
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label="Expiration Date"
          name="expiry"
          inputMode="numeric"
          autoComplete="cc-exp"
          placeholder="MM/YY"
          value={card.expiry}
          onChange={(event) => onChange({ expiry: formatExpiry(event.target.value) })}
          onBlur={() => onLeave("expiry")}
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
          onBlur={() => onLeave("cvc")}
          error={errors["cvc"]}
        />
      </div>
    </>
  );
}

/** The test cards on one line: the one that succeeds, and a disclosure of the others. */
function TestCards({ onPick }: { onPick: (number: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  const [first, ...others] = TEST_CARDS;
  return (
    <div className="rounded-field border border-line bg-paper px-3 py-1">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <TestCardButton {...first} onPick={onPick} />
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setOpen(!isOpen)}
          className="inline-flex min-h-11 items-center gap-1 px-1 font-medium"
        >
          Other test cards
          <ChevronDown aria-hidden className={`size-4 ${isOpen ? "rotate-180" : ""}`} />
        </button>
      </div>
      <ul id={listId} hidden={!isOpen} className="border-t border-line py-1">
        {others.map((card) => (
          <li key={card.number}>
            <TestCardButton {...card} onPick={onPick} />
          </li>
        ))}
      </ul>
    </div>
  );
}

type TestCardButtonProps = (typeof TEST_CARDS)[number] & { onPick: (number: string) => void };

/** Fills in the form with a test card. */
function TestCardButton({ number, result, onPick }: TestCardButtonProps) {
  return (
    <button
      type="button"
      onClick={() => onPick(number)}
      className="min-h-11 rounded-lg px-1 py-1.5 text-left hover:bg-line/60"
    >
      <code className="font-semibold text-glow-ink underline underline-offset-4">{formatCardNumber(number)}</code>{" "}
      {/* "3-D" stays in one piece. */}
      <span className="inline-block">{result}</span>
    </button>
  );
}
