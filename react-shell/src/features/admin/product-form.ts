import { text } from "../../shared/outcome";
import { validateProduct, type Product } from "../../shared/rules";
import type { FieldErrors } from "../../shared/use-field-errors";

/** The product as typed, or what is wrong with it. Amounts stay text until the rules have read them. */
export function readProduct(form: FormData) {
  return validateProduct({
    name: text(form, "name"),
    description: text(form, "description"),
    price: text(form, "price"),
    stock: text(form, "stock"),
    weight_pounds: text(form, "weight_pounds"),
    active: form.has("active"),
  });
}

export function checkProduct(form: FormData): FieldErrors {
  const read = readProduct(form);
  return read.ok ? {} : read.fields;
}

/** A sentence where a count that was typed for this product is none. */
export function checkStock({ name, description, price, weight_pounds, active }: Product, stock: string) {
  const amounts = { price: twoDecimals(price), weight_pounds: twoDecimals(weight_pounds) };
  const read = validateProduct({ name, description, ...amounts, stock, active });
  return read.ok ? undefined : read.fields["stock"];
}

/** An amount or a weight as its field shows it. */
export function twoDecimals(amount: number): string {
  return amount.toFixed(2);
}

/** The fields of a form that is filled in already; the count has its own place in the table and is not edited here. */
export type TypedProduct = Pick<Product, "name" | "description" | "price" | "weight_pounds" | "active">;
