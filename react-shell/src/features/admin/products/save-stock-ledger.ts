import { serverFieldErrors, serverMessage } from "../../../shared/api-client";
import { failed, fieldValue, succeeded, type FormResult } from "../../../shared/form-result";
import { correctStock, receiveStock, setLowStockThreshold } from "./api";

/** Saves one of the forms of a product's stock page. */
export async function saveStockForm(id: string, form: FormData): Promise<FormResult> {
  try {
    return succeeded(await save(id, form));
  } catch (error) {
    return failed(serverMessage(error, "Failed to save changes"), serverFieldErrors(error));
  }
}

/** Returns the message of success. */
async function save(id: string, form: FormData): Promise<string> {
  switch (fieldValue(form, "intent")) {
    case "receive": {
      const note = fieldValue(form, "note").trim();
      const { stock } = await receiveStock(id, { quantity: Number(fieldValue(form, "quantity")), note });
      return `Received. There are now ${stock.toLocaleString("en-US")} in stock.`;
    }
    case "correct": {
      const [counted, was] = [Number(fieldValue(form, "counted")), Number(fieldValue(form, "was"))];
      const { stock } = await correctStock(id, { counted, was, reason: fieldValue(form, "reason") });
      return `Corrected. There are now ${stock.toLocaleString("en-US")} in stock.`;
    }
    default: {
      const threshold = fieldValue(form, "threshold").trim();
      await setLowStockThreshold(id, threshold === "" ? null : Number(threshold));
      return "Threshold saved.";
    }
  }
}
