import { formatMoney, formatWeight, type Product } from "../../shared/rules";
import type { Difference } from "./conflict-notice";
import type { TypedProduct } from "./product-form";

/** Where an edit and what somebody else saved meanwhile are not the same. */
export function productDifferences(mine: TypedProduct, theirs: Product): Difference[] {
  const [a, b] = [said(mine), said(theirs)];
  return Object.entries(a).flatMap(([label, text]) => {
    const other = b[label] ?? "";
    return text === other ? [] : [{ label, mine: text, theirs: other }];
  });
}

function said(product: TypedProduct): Record<string, string> {
  return {
    Name: product.name,
    Description: product.description,
    Price: formatMoney(product.price),
    Weight: formatWeight(product.weight_pounds),
    "On sale": product.active ? "Yes" : "No",
  };
}
