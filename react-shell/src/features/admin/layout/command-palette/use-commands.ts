import { useEffect, useState } from "react";
import { listAllProducts, listOrders } from "../../shared/api";
import { adminPaths, ORDERS_ON_HOLD, ORDERS_TO_PACK, ORDERS_TO_SHIP } from "../../shared/paths";

/** Orders, and products, found at most. */
const MAX_FOUND = 5;
/** Pause in typing before the server is asked, in milliseconds. */
const SEARCH_DELAY = 150;

/** A target of the command palette. */
export interface Command {
  id: string;
  /** Where it belongs: a page, an order or a product. */
  kind: string;
  label: string;
  path: string;
}

const PAGES: Command[] = [
  ["Overview", adminPaths.overview],
  ["Orders", adminPaths.orders],
  ["Orders to pack", adminPaths.ordersWith(ORDERS_TO_PACK)],
  ["Orders to ship", adminPaths.ordersWith(ORDERS_TO_SHIP)],
  ["Orders on hold", adminPaths.ordersWith(ORDERS_ON_HOLD)],
  ["Orders with alerts", adminPaths.ordersWith({ open_alerts: "true" })],
  ["Import Tracking Numbers", adminPaths.trackingImport],
  ["Products", adminPaths.products],
  ["Customers", adminPaths.customers],
  ["Money", adminPaths.money],
  ["Taxes", adminPaths.taxes],
  ["Settings", adminPaths.settings],
  ["Health", adminPaths.health],
].map(([label = "", path = ""]) => ({ id: path, kind: "Page", label, path }));

/** The pages, products and orders that match what is typed. */
export function useCommands(typed: string): Command[] {
  const text = typed.trim();
  const products = useSearch(text, searchProducts);
  const orders = useSearch(text, searchOrders);
  const matches = ({ label }: Command) => label.toLowerCase().includes(text.toLowerCase());
  return [...PAGES.filter(matches), ...products, ...orders];
}

/** Results for the text; none while they load, or if they can't be loaded. */
function useSearch(text: string, search: (text: string) => Promise<Command[]>): Command[] {
  const [found, setFound] = useState<{ text: string; commands: Command[] }>({ text: "", commands: [] });
  useEffect(() => {
    if (text === "") return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      search(text).then(
        (commands) => isCurrent && setFound({ text, commands }),
        () => undefined,
      );
    }, SEARCH_DELAY);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text, search]);
  return found.text === text ? found.commands : [];
}

async function searchProducts(text: string): Promise<Command[]> {
  const { products } = await listAllProducts(new URLSearchParams({ q: text, limit: String(MAX_FOUND) }));
  return products.map(({ id, name }) => ({
    id,
    kind: "Product",
    label: name,
    path: adminPaths.productsWith({ q: name }),
  }));
}

/** The newest orders with all words that are typed, or with the number or code, and a link to all of them. */
async function searchOrders(text: string): Promise<Command[]> {
  const query = new URLSearchParams({ q: text, limit: String(MAX_FOUND) });
  const { orders, total } = await listOrders(query);
  const found = orders.map(({ id, number, name }) => ({
    id,
    kind: "Order",
    label: `${number} · ${name}`,
    path: adminPaths.order(id),
  }));
  const all = {
    id: "all",
    kind: "Orders",
    label: `All orders with “${text}”`,
    path: adminPaths.ordersWith({ q: text }),
  };
  return total > found.length ? [...found, all] : found;
}
