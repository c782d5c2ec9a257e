import { ApiError, serverFields, serverSentence } from "../../shared/api-client";
import { done, failed, text, type Outcome } from "../../shared/outcome";
import type { Product } from "../../shared/rules";
import { addProduct, updateProduct, updateStock } from "./api";
import { readProduct, type TypedProduct } from "./product-form";

const STOCK_FAILED = "Failed to update product stock";
const SAVE_FAILED = "Failed to save changes";

/** `current`: what somebody else has made of the product meanwhile, `mine` what was to be saved. */
export type ProductOutcome = Outcome & { current?: Product; mine?: TypedProduct };

export async function saveNewProduct(form: FormData): Promise<Outcome> {
  const read = readProduct(form);
  if (!read.ok) return failed("Failed to add product", read.fields);
  try {
    const { name } = await addProduct(read.value);
    return done(`${name} was added.`);
  } catch (error) {
    return failed(serverSentence(error, "Failed to add new product"), serverFields(error));
  }
}

/** Everything but the count, which the form carries only so that the rules can read a whole product. */
export async function saveProduct(form: FormData): Promise<ProductOutcome> {
  const read = readProduct(form);
  if (!read.ok) return failed(SAVE_FAILED, read.fields);
  const { stock: _stock, ...rest } = read.value;
  const mine = { ...rest, active: form.has("active") };
  try {
    const { name } = await updateProduct(text(form, "id"), { ...mine, version: Number(text(form, "version")) });
    return done(`${name} was saved.`);
  } catch (error) {
    const current = conflicting(error);
    if (current) return { ...failed(SAVE_FAILED), current, mine };
    return failed(serverSentence(error, SAVE_FAILED), serverFields(error));
  }
}

export async function saveActive(form: FormData): Promise<Outcome> {
  const active = text(form, "active") === "true";
  try {
    const version = Number(text(form, "version"));
    const { name } = await updateProduct(text(form, "id"), { active, version });
    return done(active ? `${name} is on sale.` : `${name} is no longer on sale.`);
  } catch (error) {
    return failed(serverSentence(error, SAVE_FAILED));
  }
}

export async function saveStock(form: FormData): Promise<Outcome> {
  const stock = Number(text(form, "stock"));
  const was = Number(text(form, "was"));
  try {
    await updateStock(text(form, "id"), { stock, was });
    return done("Saved");
  } catch (error) {
    const { stock: sentence } = serverFields(error);
    return failed(sentence === undefined ? STOCK_FAILED : `${STOCK_FAILED}. ${sentence}`);
  }
}

function conflicting(error: unknown): Product | undefined {
  if (!(error instanceof ApiError) || error.body.code !== "EditConflict") return undefined;
  const current = error.body.details?.current;
  return current && "slug" in current ? current : undefined;
}
