import { ApiError, serverFieldErrors, serverMessage } from "../../../shared/api-client";
import { succeeded, failed, fieldValue, type FormResult } from "../../../shared/form-result";
import {
  readEdit,
  savedMessage,
  saveMerged,
  type Conflict,
  type OtherVersion,
  type Values,
} from "../shared/merge-edit";
import { addProduct, duplicateProduct, updateProduct, updateStock, type ProductEdit } from "./api";
import { clearedFacts } from "./product-facts";
import { PRODUCT_FIELDS, productValues, readProduct, readValues } from "./product-form";

const STOCK_FAILED = "Failed to update product stock";
const SAVE_FAILED = "Failed to save changes";

/** `conflict`: the fields that someone else changed as well. */
export type SaveProductResult = FormResult & { conflict?: Conflict };

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
  const edit = readEdit(form, PRODUCT_FIELDS);
  const mine = { ...edit.mine, active: fieldValue(form, "active") };
  const [id, stock] = [fieldValue(form, "id"), fieldValue(form, "stock")];
  const save = (values: Values, version: number) => updateProduct(id, { ...productEdit(values, stock), version });
  try {
    const result = await saveMerged({ ...edit, mine }, { fields: PRODUCT_FIELDS, save, otherVersion });
    if ("differences" in result) return { ...failed(SAVE_FAILED), conflict: result };
    return succeeded(savedMessage(`${result.saved?.name} was saved.`, result));
  } catch (error) {
    return failed(serverMessage(error, SAVE_FAILED), serverFieldErrors(error));
  }
}

/** The edit of these values. Two valid versions may be invalid together, like a length without a width. */
function productEdit(values: Values, stock: string): ProductEdit {
  const read = readValues((name) => (name === "stock" ? stock : (values[name] ?? "")));
  if (!read.ok) throw new ApiError(400, { error: SAVE_FAILED, fields: read.fields });
  const { stock: _stock, ...product } = read.value;
  return { ...clearedFacts(product), ...product };
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

function otherVersion(error: unknown): OtherVersion | undefined {
  if (!(error instanceof ApiError) || error.body.code !== "EditConflict") return undefined;
  const current = error.body.details?.current;
  return current && "slug" in current ? { version: current.version, theirs: productValues(current) } : undefined;
}
