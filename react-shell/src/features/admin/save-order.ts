import { ApiError, serverFields, serverSentence } from "../../shared/api-client";
import { toAddress, typedAddress } from "../../shared/address-form";
import { done, failed, text, type Outcome } from "../../shared/outcome";
import { orderStatuses, type Order } from "../../shared/rules";
import { updateOrder } from "./api";

const ADDRESS_PREFIX = "address.";

/** `current`: what somebody else has made of the order meanwhile. `reason`: the server's own sentence. */
export type SaveOutcome = Outcome & { reason?: string; current?: Order };

export async function saveOrder(id: string, form: FormData): Promise<SaveOutcome> {
  const status = orderStatuses().find((word) => word === text(form, "status"));
  if (status === undefined) return failed("Failed to save changes", { status: "Choose a status." });
  try {
    await updateOrder(id, {
      status,
      address: toAddress(typedAddress(form)),
      tracking_number: text(form, "tracking_number").trim(),
      restock: form.has("restock"),
      version: form.has("version") ? Number(text(form, "version")) : undefined,
    });
    return done("The changes are saved.");
  } catch (error) {
    const outcome = failed("Failed to save changes", addressFields(serverFields(error)));
    const current = conflicting(error);
    return { ...outcome, reason: serverSentence(error, ""), ...(current && { current }) };
  }
}

function conflicting(error: unknown): Order | undefined {
  if (!(error instanceof ApiError) || error.code !== "EditConflict") return undefined;
  return error.details["current"] as Order | undefined;
}

/** The server names an address's fields from the order; the form names them from the address. */
function addressFields(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, sentence]) => [
      name.startsWith(ADDRESS_PREFIX) ? name.slice(ADDRESS_PREFIX.length) : name,
      sentence,
    ]),
  );
}
