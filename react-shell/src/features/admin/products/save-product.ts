import { ApiError, serverFieldErrors, serverMessage } from "../../../shared/api-client";
import { succeeded, failed, fieldValue, type FormResult } from "../../../shared/form-result";
import type { Product } from "../../../shared/rules";
import { addProduct, duplicateProduct, updateProduct, updateStock } from "./api";
import { clearedFacts } from "./product-facts";
import { readProduct, type TypedProduct } from "./product-form";

const STOCK_FAILED = "Failed to update product stock";
const SAVE_FAILED = "Failed to save changes";

/** An edit conflict has `current`, the version saved meanwhile, and `mine`, the edit. */
export type SaveProductResult = FormResult & { current?: Product; mine?: TypedProduct };

export async function saveNewProduct(form: FormData): Promise<FormResult> {
  const read = readProduct(form);
  if (!read.ok) return failed("Failed to add product", read.fields);
  try {
    const { name } = await addProduct(read.value);
    return succeeded(`${name} was added.`);
  } catch (error) {
    return failed(serverMessage(error, "Failed to add new product"), serverFieldErrors(error));
  }
}

/** Saves all fields but the stock, which the form contains only because validation requires a complete product. */
export async function saveProduct(form: FormData): Promise<SaveProductResult> {
  const read = readProduct(form);
  if (!read.ok) return failed(SAVE_FAILED, read.fields);
  const { stock: _stock, ...rest } = read.value;
  const mine = { ...rest, active: form.has("active") };
  try {
    const { name } = await updateProduct(fieldValue(form, "id"), {
      ...clearedFacts(mine),
      ...mine,
      version: Number(fieldValue(form, "version")),
    });
    return succeeded(`${name} was saved.`);
  } catch (error) {
    const current = conflictingProduct(error);
    if (current) return { ...failed(SAVE_FAILED), current, mine };
    return failed(serverMessage(error, SAVE_FAILED), serverFieldErrors(error));
  }
}

export async function duplicate(form: FormData): Promise<FormResult> {
  try {
    const { name } = await duplicateProduct(fieldValue(form, "id"));
    return succeeded(`${name} was added. It is hidden until you activate it.`);
  } catch (error) {
    return failed(serverMessage(error, "Failed to add new product"));
  }
}

export async function saveActive(form: FormData): Promise<FormResult> {
  const active = fieldValue(form, "active") === "true";
  try {
    const version = Number(fieldValue(form, "version"));
    const { name } = await updateProduct(fieldValue(form, "id"), { active, version });
    return succeeded(active ? `${name} is now listed.` : `${name} is no longer listed.`);
  } catch (error) {
    return failed(serverMessage(error, SAVE_FAILED));
  }
}

export async function saveStock(form: FormData): Promise<FormResult> {
  const stock = Number(fieldValue(form, "stock"));
  const was = Number(fieldValue(form, "was"));
  try {
    await updateStock(fieldValue(form, "id"), { stock, was });
    return succeeded("Saved");
  } catch (error) {
    const { stock: message } = serverFieldErrors(error);
    return failed(message === undefined ? STOCK_FAILED : `${STOCK_FAILED}. ${message}`);
  }
}

function conflictingProduct(error: unknown): Product | undefined {
  if (!(error instanceof ApiError) || error.body.code !== "EditConflict") return undefined;
  const current = error.body.details?.current;
  return current && "slug" in current ? current : undefined;
}
