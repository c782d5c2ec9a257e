import { withoutNothing, type FieldErrors } from "../../shared/use-field-errors";
import type { Card } from "./test-provider";

/** A card as typed into the form. */
export interface TypedCard {
  number: string;
  expiry: string;
  cvc: string;
}

/** The card to send, or what is missing. Whether a card is good is the provider's to say. */
export function readCard(typed: TypedCard): Card | FieldErrors {
  const number = digits(typed.number);
  const cvc = digits(typed.cvc);
  const expiry = readExpiry(typed.expiry);
  const errors = withoutNothing({
    number: number.length < 12 ? "Enter the whole card number." : undefined,
    expiry: expiry === undefined ? "Enter the month and year, like 12/34." : undefined,
    cvc: cvc.length < 3 ? "Enter the 3 or 4 digits of the security code." : undefined,
  });
  return expiry === undefined || Object.keys(errors).length > 0 ? errors : { number, cvc, ...expiry };
}

export function isCard(value: Card | FieldErrors): value is Card {
  return "expMonth" in value;
}

/** Groups of four while one types. */
export function groupNumber(text: string): string {
  return digits(text)
    .slice(0, 19)
    .replace(/(\d{4})(?=\d)/g, "$1 ");
}

/** A slash after the month, unless one is deleting. */
export function groupExpiry(text: string): string {
  const typed = digits(text).slice(0, 4);
  return typed.length > 2 ? `${typed.slice(0, 2)}/${typed.slice(2)}` : typed;
}

function readExpiry(text: string): Pick<Card, "expMonth" | "expYear"> | undefined {
  const [, month, year] = /^(\d{2})(\d{2})$/.exec(digits(text)) ?? [];
  if (month === undefined || year === undefined || Number(month) < 1 || Number(month) > 12) return undefined;
  return { expMonth: String(Number(month)), expYear: `20${year}` };
}

function digits(text: string): string {
  return text.replace(/\D/g, "");
}
