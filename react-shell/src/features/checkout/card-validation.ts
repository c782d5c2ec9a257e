import { omitUndefined, type FieldErrors } from "../../shared/use-field-errors";
import { cardBrand } from "./card-brand";
import type { Card } from "./mock-stripe";

/** The card fields, as typed. */
export interface TypedCard {
  number: string;
  expiry: string;
  cvc: string;
}

/** Parses the card fields, or returns their errors. The provider decides whether the card can pay. */
export function readCard(typed: TypedCard): Card | FieldErrors {
  const number = digits(typed.number);
  const cvc = digits(typed.cvc);
  const expiry = readExpiry(typed.expiry);
  const errors = omitUndefined({
    number: cardNumberError(number),
    expiry: expiryError(expiry),
    cvc: cvcError(cvc, number),
  });
  return expiry === undefined || Object.keys(errors).length > 0 ? errors : { number, cvc, ...expiry };
}

export function isCard(value: Card | FieldErrors): value is Card {
  return "expMonth" in value;
}

/** Formats a card number in groups of four, while typing. */
export function formatCardNumber(text: string): string {
  return digits(text)
    .slice(0, 19)
    .replace(/(\d{4})(?=\d)/g, "$1 ");
}

/** Formats an expiration date as MM/YY, while typing. No slash after two digits, so that Backspace works. */
export function formatExpiry(text: string): string {
  const typed = digits(text).slice(0, 4);
  return typed.length > 2 ? `${typed.slice(0, 2)}/${typed.slice(2)}` : typed;
}

function cardNumberError(number: string): string | undefined {
  if (number.length < 12) return "Enter the full card number.";
  return passesLuhnCheck(number) ? undefined : "Check the card number. At least one digit is wrong.";
}

/** American Express prints four digits on the front, every other brand three on the back. */
function cvcError(cvc: string, number: string): string | undefined {
  const length = cardBrand(number)?.cvcLength;
  if (length === undefined) return cvc.length < 3 ? "Enter the 3- or 4-digit security code." : undefined;
  if (cvc.length === length) return undefined;
  return `Enter the ${length}-digit security code on the ${length === 4 ? "front" : "back"} of the card.`;
}

/** The Luhn algorithm (ISO/IEC 7812-1, annex B), which detects any single wrong digit. */
function passesLuhnCheck(number: string): boolean {
  const sum = [...number].toReversed().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function expiryError(expiry: Expiry | undefined): string | undefined {
  if (expiry === undefined) return "Enter the expiration month and year, like 12/34.";
  // Months are zero-based here, so this is the start of the following month: a card is valid through its month.
  const end = new Date(Number(expiry.expYear), Number(expiry.expMonth));
  return Date.now() < end.getTime() ? undefined : "This card has expired. Check the date or use another card.";
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
