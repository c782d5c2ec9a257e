import { checkStock } from "./product-form";
import type { Product } from "../../../shared/rules";

/** A typed stock: the text of the number it results in, and whether it was typed as a difference. */
interface StockInput {
  result: string;
  isDifference: boolean;
}

/** Reads `+20` and `-3` as differences to the stock, and everything else as the new stock. */
export function readStock(typed: string, was: number): StockInput {
  const difference = /^([+\-−])\s*(\d{1,9})$/.exec(typed.trim());
  if (difference === null) return { result: typed.trim(), isDifference: false };
  const amount = Number(difference[2]);
  return { result: String(difference[1] === "+" ? was + amount : was - amount), isDifference: true };
}

/** The result of a valid difference, for display; undefined for anything else. */
export function differenceResult(product: Product, typed: string, was: number): string | undefined {
  const { result, isDifference } = readStock(typed, was);
  return isDifference && checkStock(product, result) === undefined ? result : undefined;
}
