import { fieldValue } from "../../../shared/form-result";
import { formatMoney, formatWeight, validateProduct, type Product, type ProductInput } from "../../../shared/rules";
import type { FieldErrors } from "../../../shared/use-field-errors";
import type { Difference } from "../shared/conflict-notice";
import { FACTS, factTexts, readFacts } from "./product-facts";

/** Parses the product form, or returns its errors. The rules parse amounts from text, without floats. */
export function readProduct(form: FormData) {
  return validateProduct({
    name: fieldValue(form, "name"),
    description: fieldValue(form, "description"),
    price: fieldValue(form, "price"),
    stock: fieldValue(form, "stock"),
    weight_pounds: fieldValue(form, "weight_pounds"),
    active: form.has("active"),
    ...readFacts(form),
  });
}

export function checkProduct(form: FormData): FieldErrors {
  const read = readProduct(form);
  return read.ok ? {} : read.fields;
}

/** The error message for an invalid stock. */
export function checkStock({ name, description, price, weight_pounds, active }: Product, stock: string) {
  const amounts = { price: twoDecimals(price), weight_pounds: twoDecimals(weight_pounds) };
  const read = validateProduct({ name, description, ...amounts, stock, active });
  return read.ok ? undefined : read.fields["stock"];
}

/** Formats an amount or a weight for its field. */
export function twoDecimals(amount: number): string {
  return amount.toFixed(2);
}

/** The fields of the product editor. The stock is edited in the table instead. */
export type TypedProduct = Omit<ProductInput, "stock">;

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
    ...Object.fromEntries(Object.entries(factTexts(product)).map(([name, text]) => [factLabel(name), text])),
  };
}

function factLabel(name: string): string {
  return FACTS[name as keyof typeof FACTS].label;
}
