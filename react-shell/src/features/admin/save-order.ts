import { ApiError, serverFields, serverSentence } from "../../shared/api-client";
import { toAddress, typedAddress } from "../../shared/address-form";
import { done, failed, text, type Outcome } from "../../shared/outcome";
import { orderStatuses, type Order } from "../../shared/rules";
import { updateOrder, type OrderEdit } from "./api";

const ADDRESS_PREFIX = "address.";

/**
 * `current`: what somebody else has made of the order meanwhile, `mine` what was to be saved. `reason`: the server's own
 * sentence.
 */
export type SaveOutcome = Outcome & { reason?: string; current?: Order; mine?: OrderEdit };

/** A form has all of an order or its status alone: what it does not have stays as it is. */
export async function saveOrder(id: string, form: FormData): Promise<SaveOutcome> {
  const status = orderStatuses().find((word) => word === text(form, "status"));
  if (status === undefined) return failed("Failed to save changes", { status: "Choose a status." });
  const mine: OrderEdit = {
    status,
    ...(form.has("address.line1") && { address: toAddress(typedAddress(form)) }),
    ...(form.has("tracking_number") && { tracking_number: text(form, "tracking_number").trim() }),
    restock: form.has("restock"),
    ...(form.has("version") && { version: Number(text(form, "version")) }),
  };
  try {
    await updateOrder(id, mine);
    return done("The changes are saved.");
  } catch (error) {
    const outcome = failed("Failed to save changes", addressFields(serverFields(error)));
    const current = conflicting(error);
    return { ...outcome, reason: serverSentence(error, ""), ...(current && { current, mine }) };
  }
}

function conflicting(error: unknown): Order | undefined {
  if (!(error instanceof ApiError) || error.body.code !== "EditConflict") return undefined;
  const current = error.body.details?.current;
  return current && "items" in current ? current : undefined;
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
