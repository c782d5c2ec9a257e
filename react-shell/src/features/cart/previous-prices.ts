import type { Cart, CartLine } from "../../shared/rules";
import { localStore } from "../../shared/storage";

const KEY = "cart-earlier-prices";

type Prices = Record<string, number>;

/** The price at which a line was added to the cart, if it differs from the current price. */
export function previousPrice({ id, price }: CartLine): number | undefined {
  const previous = readPrices()[id];
  return previous === price ? undefined : previous;
}

/** Records the price of a line before its first price change, for as long as the line is in the cart. */
export function recordPreviousPrices(before: Cart, after: Cart): void {
  const recorded = readPrices();
  const prices: Prices = {};
  for (const { id, price } of after) {
    const previous = recorded[id] ?? before.find((line) => line.id === id)?.price;
    if (previous !== undefined && previous !== price) prices[id] = previous;
  }
  if (Object.keys(prices).length > 0) localStore.setItem(KEY, JSON.stringify(prices));
  else localStore.removeItem(KEY);
}

function readPrices(): Prices {
  try {
    const prices: unknown = JSON.parse(localStore.getItem(KEY) ?? "{}");
    if (typeof prices !== "object" || prices === null) return {};
    return Object.fromEntries(Object.entries(prices).filter(([, price]) => typeof price === "number"));
  } catch {
    return {};
  }
}
