import { useEffect, useState } from "react";
import { paths } from "../../../shared/paths";
import type { Product } from "../../../shared/rules";
import { listOrders, listProducts } from "../api";

/** Orders found at most. */
const MAX_ORDERS = 5;
const MAX_PRODUCTS = 5;
/** Pause in typing before orders are searched, in milliseconds. */
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
  ["Overview", paths.adminOverview],
  ["Orders", paths.adminOrders],
  ["Orders to pack", paths.adminOrdersWith({ status: "pending" })],
  ["Orders to ship", paths.adminOrdersWith({ status: "processing" })],
  ["Orders that need review", paths.adminOrdersWith({ needs_review: "true" })],
  ["Import Tracking Numbers", paths.adminTrackingImport],
  ["Products", paths.adminProducts],
].map(([label = "", path = ""]) => ({ id: path, kind: "Page", label, path }));

/** The pages, products and orders that match what is typed. */
export function useCommands(typed: string): Command[] {
  const products = useProducts();
  const orders = useOrders(typed.trim());
  const text = typed.trim().toLowerCase();
  const matches = ({ label }: Command) => label.toLowerCase().includes(text);
  const found = text === "" ? [] : products.filter(matches).slice(0, MAX_PRODUCTS);
  return [...PAGES.filter(matches), ...found, ...orders];
}

/** None while they load, or if they can't be loaded. */
function useProducts(): Command[] {
  const [products, setProducts] = useState<Product[]>([]);
  useEffect(() => {
    let isCurrent = true;
    listProducts().then(
      (loaded) => isCurrent && setProducts(loaded),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, []);
  return products.map(({ id, name }) => ({
    id,
    kind: "Product",
    label: name,
    path: `${paths.adminProducts}?${new URLSearchParams({ q: name })}`,
  }));
}

/** The newest orders of a number, or of the start of an email address or name. */
function useOrders(text: string): Command[] {
  const [found, setFound] = useState<{ text: string; orders: Command[] }>({ text: "", orders: [] });
  useEffect(() => {
    if (text === "") return undefined;
    let isCurrent = true;
    const query = new URLSearchParams({ q: text.replace(/^NL-/i, ""), limit: String(MAX_ORDERS) });
    const timer = setTimeout(() => {
      listOrders(query).then(
        ({ orders }) => isCurrent && setFound({ text, orders: orders.map(toCommand) }),
        () => undefined,
      );
    }, SEARCH_DELAY);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text]);
  return found.text === text ? found.orders : [];
}

function toCommand({ id, number, name }: { id: string; number: number; name: string }): Command {
  return { id, kind: "Order", label: `${number} · ${name}`, path: paths.adminOrder(id) };
}
