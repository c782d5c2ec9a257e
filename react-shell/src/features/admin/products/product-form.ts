import { fieldValue } from "../../../shared/form-result";
import { formatMoney, formatWeight, validateProduct, type Product, type ProductInput } from "../../../shared/rules";
import type { FieldErrors } from "../../../shared/use-field-errors";
import type { MergeField, Values } from "../shared/merge-edit";
import { FACT_NAMES, FACTS, factTexts, readFacts } from "./product-facts";

/** Parses the product form, or returns its errors. The rules parse amounts from text, without floats. */
export function readProduct(form: FormData) {
  return readValues((name) => fieldValue(form, name));
}

/** Parses the values of the editor. Validation requires a complete product, so they include the stock. */
export function readValues(valueOf: (name: string) => string) {
  return validateProduct({
    name: valueOf("name"),
    description: valueOf("description"),
    price: valueOf("price"),
    stock: valueOf("stock"),
    weight_pounds: valueOf("weight_pounds"),
    active: valueOf("active") === ACTIVE,
    ...readFacts(valueOf),
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

/** The values of the editor of a product. */
export function productValues(product: TypedProduct): Values {
  const facts = factTexts(product);
  return {
    name: product.name,
    description: product.description,
    price: twoDecimals(product.price),
    weight_pounds: twoDecimals(product.weight_pounds),
    active: product.active ? ACTIVE : "",
    ...Object.fromEntries(FACT_NAMES.map((name) => [FACTS[name].field, facts[name]])),
  };
}

/** The value of a checked *Active*. An unchecked one is not in the form. */
export const ACTIVE = "on";

/** The fields of the product editor. */
export const PRODUCT_FIELDS: readonly MergeField[] = [
  field("Name", "name"),
  field("Description", "description"),
  field("Price", "price", (price) => formatMoney(Number(price))),
  field("Weight", "weight_pounds", (pounds) => formatWeight(Number(pounds))),
  field("Active", "active", (active) => (active === ACTIVE ? "Yes" : "No")),
  ...FACT_NAMES.map((name) => field(FACTS[name].label, FACTS[name].field)),
];

function field(label: string, name: string, text: (value: string) => string = String): MergeField {
  return { label, names: [name], text: (values) => text(values[name] ?? "") };
}
