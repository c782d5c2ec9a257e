import { formatMoney, formatWeight, type Product } from "../../shared/rules";
import type { Difference } from "./conflict-notice";
import type { TypedProduct } from "./product-form";

/** The fields in which an edit differs from the version saved meanwhile. */
export function productDifferences(mine: TypedProduct, theirs: Product): Difference[] {
  const [a, b] = [fieldTexts(mine), fieldTexts(theirs)];
  return Object.entries(a).flatMap(([label, text]) => {
    const other = b[label] ?? "";
    return text === other ? [] : [{ label, mine: text, theirs: other }];
  });
}

function fieldTexts(product: TypedProduct): Record<string, string> {
  return {
    Name: product.name,
    Description: product.description,
    Price: formatMoney(product.price),
    Weight: formatWeight(product.weight_pounds),
    Active: product.active ? "Yes" : "No",
  };
}
