import { serverFields, serverSentence } from "../../shared/api-client";
import { done, failed, text, type Outcome } from "../../shared/outcome";
import { addProduct, updateStock } from "./api";
import { readProduct } from "./product-form";

const STOCK_FAILED = "Failed to update product stock";

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

export async function saveStock(form: FormData): Promise<Outcome> {
  const stock = Number(text(form, "stock"));
  const was = Number(text(form, "was"));
  try {
    await updateStock(text(form, "id"), { stock, was });
    return done("Saved.");
  } catch (error) {
    const { stock: sentence } = serverFields(error);
    return failed(sentence === undefined ? STOCK_FAILED : `${STOCK_FAILED}. ${sentence}`);
  }
}
