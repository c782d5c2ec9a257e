import { withoutNothing, type FieldErrors } from "../../shared/use-field-errors";
import type { Card } from "./test-provider";

/** A card as typed into the form. */
export interface TypedCard {
  number: string;
  expiry: string;
  cvc: string;
}

/** The card to send, or what is wrong with it. Whether it can pay is the provider's to say. */
export function readCard(typed: TypedCard): Card | FieldErrors {
  const number = digits(typed.number);
  const cvc = digits(typed.cvc);
  const expiry = readExpiry(typed.expiry);
  const errors = withoutNothing({
    number: wrongInNumber(number),
    expiry: wrongInExpiry(expiry),
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

function wrongInNumber(number: string): string | undefined {
  if (number.length < 12) return "Enter the whole card number.";
  return hasCheckDigit(number) ? undefined : "Check the card number: one of its digits is wrong.";
}

/** The Luhn algorithm (ISO/IEC 7812-1, annex B): finds any one wrong digit. */
function hasCheckDigit(number: string): boolean {
  const sum = [...number].toReversed().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function wrongInExpiry(expiry: Expiry | undefined): string | undefined {
  if (expiry === undefined) return "Enter the month and year, like 12/34.";
  // A card is good until the end of its month, which is where the next one begins.
  const end = new Date(Number(expiry.expYear), Number(expiry.expMonth));
  return Date.now() < end.getTime() ? undefined : "This card has expired. Check the date, or use another card.";
}

type Expiry = Pick<Card, "expMonth" | "expYear">;

function readExpiry(text: string): Expiry | undefined {
  const [, month, year] = /^(\d{2})(\d{2})$/.exec(digits(text)) ?? [];
  if (month === undefined || year === undefined || Number(month) < 1 || Number(month) > 12) return undefined;
  return { expMonth: String(Number(month)), expYear: `20${year}` };
}

function digits(text: string): string {
  return text.replace(/\D/g, "");
}
