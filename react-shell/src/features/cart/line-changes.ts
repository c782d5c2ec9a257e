import { quantityLimit, type Cart, type CartLine } from "../../shared/rules";
import { localStore } from "../../shared/storage";
import { isOrderable } from "./orderable-lines";

const KEY = "cart-line-changes";

/** A line's price and quantity before the catalog changed them; undefined if they are as the customer saw them. */
export interface LineBefore {
  price?: number | undefined;
  quantity?: number | undefined;
}

type Changes = Record<string, LineBefore>;

/** What the catalog has changed about a line since it was added. */
export function lineBefore({ id, price, quantity, available }: CartLine): LineBefore {
  const before = readChanges()[id] ?? {};
  return {
    price: before.price === price ? undefined : before.price,
    quantity: available === quantity ? before.quantity : undefined,
  };
}

/** Records a line before its first change by the catalog, for as long as the line is in the cart. */
export function recordChanges(before: Cart, after: Cart): void {
  const recorded = readChanges();
  const changes: Changes = {};
  for (const line of after) {
    const old = before.find(({ id }) => id === line.id);
    const change = changeOf(recorded[line.id] ?? {}, old ?? line, line);
    if (change.price !== undefined || change.quantity !== undefined) changes[line.id] = change;
  }
  if (Object.keys(changes).length > 0) localStore.setItem(KEY, JSON.stringify(changes));
  else localStore.removeItem(KEY);
}

/** Records a removed line's change again, before the line is put back into the cart. */
export function restoreChange({ id }: CartLine, before: LineBefore): void {
  localStore.setItem(KEY, JSON.stringify({ ...readChanges(), [id]: before }));
}

function changeOf(recorded: LineBefore, old: CartLine, line: CartLine): LineBefore {
  const price = recorded.price ?? old.price;
  return { price: price === line.price ? undefined : price, quantity: quantityBefore(recorded, old, line) };
}

/** A quantity that the customer chooses ends the record of the one that was reduced. */
function quantityBefore(recorded: LineBefore, old: CartLine, line: CartLine): number | undefined {
  if (old.quantity === line.quantity) return recorded.quantity;
  const isReducedToStock = isOrderable(line) && old.quantity > quantityLimit(line.available);
  return isReducedToStock ? (recorded.quantity ?? old.quantity) : undefined;
}

function readChanges(): Changes {
  try {
    const changes: unknown = JSON.parse(localStore.getItem(KEY) ?? "{}");
    if (typeof changes !== "object" || changes === null) return {};
    return Object.fromEntries(Object.entries(changes).filter(([, before]) => isLineBefore(before)));
  } catch {
    return {};
  }
}

function isLineBefore(value: unknown): value is LineBefore {
  if (typeof value !== "object" || value === null) return false;
  const { price, quantity } = value as Record<string, unknown>;
  return [price, quantity].every((number) => number === undefined || typeof number === "number");
}
