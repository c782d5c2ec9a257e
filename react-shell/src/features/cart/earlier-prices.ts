import type { Cart, CartLine } from "../../shared/rules";
import { localStore } from "../../shared/storage";

const KEY = "cart-earlier-prices";

type Prices = Record<string, number>;

/** The price at which a line was put into the cart, if today's is another one. */
export function earlierPrice({ id, price }: CartLine): number | undefined {
  const earlier = readPrices()[id];
  return earlier === price ? undefined : earlier;
}

/** Keeps what a line cost before the first change of its price, for as long as it is in the cart. */
export function keepEarlierPrices(before: Cart, after: Cart): void {
  const kept = readPrices();
  const prices: Prices = {};
  for (const { id, price } of after) {
    const earlier = kept[id] ?? before.find((line) => line.id === id)?.price;
    if (earlier !== undefined && earlier !== price) prices[id] = earlier;
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
