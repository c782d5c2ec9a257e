// Program of an integrator, type-checked against each package.
import type * as Core from "wasm-core";

const LIGHT: Core.Product = {
  id: "019b0000-0000-7000-8000-000000000001",
  name: "Nudgelight One",
  slug: "nudgelight-one",
  description: "A small light.",
  price: 24.99,
  stock: 42,
  available: 40,
  weight_pounds: 0.6,
  active: true,
  image: "/images/nudgelight-one.svg",
  version: 1,
};

const SCHEDULE = `timezone = America/New_York
on 18:00-23:00 dayly
blink 09:00 for 10s weekdays
`;

/** Compiles only if the package has these two types. */
const PRICE: Core.Dollars = 24.99;
const WEIGHT: Core.Pounds = 0.6;

/** Fills a cart, prices it, labels its tax, validates an email address, and evaluates a schedule. */
export function buys(core: typeof Core): unknown {
  const added = core.addToCart(core.readCart(), LIGHT, 2);
  if (!added.ok) throw new Error(added.error);
  const taxes = core.taxLines([
    { amount: 362, tax_rate_details: { percentage_decimal: "7.25", country: "US", state: "CA", tax_type: "sales_tax" } },
  ]);
  const schedule = core.parseSchedule(SCHEDULE);
  return {
    tooMany: core.addToCart(added.cart, LIGHT, 2.5),
    quote: core.quoteCart(added.cart, "CA"),
    toCalifornia: core.quote([{ price: PRICE, weight: WEIGHT, quantity: 2 }], "US", core.dollarsFromCents(362)),
    taxes: taxes.map((line) => `${line.label} ${core.formatMoney(line.amount)}`),
    email: core.validateEmail("no address"),
    rules: schedule.rules.length,
    mistakes: schedule.diagnostics.map(({ line, suggestion }) => `${line}: ${suggestion?.replacement}`),
    light: core.lightAt(SCHEDULE, "2026-11-27T09:00:05"),
    next: core.nextChange(SCHEDULE, "2026-11-27T09:00:05")?.at,
  };
}
