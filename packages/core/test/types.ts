// Compiled by the tests with TypeScript's strictest settings, and not run. Each `@ts-expect-error` is a mistake that the
// types must find.
import * as core from "@nudgelight/core";
import type { Cents, CartLine, DisplayDate, Dollars, Iso8601Date, Pounds } from "@nudgelight/core";
import { lightAt, nextChange, week } from "@nudgelight/core/schedule";
import { quoteFor, tableTax } from "@nudgelight/core/tax";

declare const line: CartLine;
declare const cents: Cents;
declare const dollars: Dollars;
declare const pounds: Pounds;
declare const shown: DisplayDate;
declare const ordered: Iso8601Date;

// Plain numbers and strings are fine everywhere.
core.formatMoney(24.99);
core.formatWeight(0.6);
core.dollarsFromCents(362);
core.formatDate("2026-12-24T23:59:59Z");
export const price: Dollars = 24.99;
export const sum: number = dollars + dollars;

// A unit for another one is not.
core.formatMoney(dollars);
core.formatMoney(core.dollarsFromCents(cents));
// @ts-expect-error cents are not dollars
core.formatMoney(cents);
// @ts-expect-error dollars are not cents
core.dollarsFromCents(dollars);
// @ts-expect-error pounds are not dollars
core.formatMoney(pounds);
// @ts-expect-error cents are no price
quoteFor({ lines: [{ price: cents, weight: 1, quantity: 1 }], address: { country: "US", state: "CA" } });
// @ts-expect-error cents are no subtotal
tableTax({ address: { country: "US", state: "CA" }, subtotal: cents, shipping: 0 });
core.formatDate(ordered);
lightAt("on daily", ordered);
// @ts-expect-error a date for people is no time
core.formatDate(shown);
// @ts-expect-error a date for people is no time
week("on daily", shown);

// A result is checked before it is used.
const quote = quoteFor({
  lines: [{ price: line.price, weight: line.weight_pounds, quantity: 2 }],
  address: { country: "US", state: "CA" },
});
// @ts-expect-error there may be no total
quote.total.toFixed();
export const said: string = quote.ok ? core.formatMoney(quote.total) : `${quote.field}: ${quote.error}`;
const added = core.addToCart([line], { ...({} as core.Product) }, 1);
// @ts-expect-error there may be no cart
added.cart.length;
const address = core.validateAddress({
  name: "Ada Lovelace",
  address: { line1: "", city: "", state: "", postal_code: "", country: "" },
});
if (address.ok) quoteFor({ lines: [], address: address.value.address });
// @ts-expect-error there may be no change
nextChange("on daily", "2026-11-27T09:00").at;
const light = lightAt("on daily", "2026-11-27T09:00");
// @ts-expect-error a dark lamp has no brightness
light.brightness;
export const brightness: number = light.action === "off" ? 0 : light.brightness;

// Arguments have their types.
// @ts-expect-error an amount is no string
core.formatMoney("24.99");
// @ts-expect-error the shop ships to the US and Canada
core.states("DE");
// @ts-expect-error a package starts by itself
core.initSync;
