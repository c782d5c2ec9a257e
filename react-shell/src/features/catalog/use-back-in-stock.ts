import { useState } from "react";
import { serverFieldErrors, serverMessage } from "../../shared/api-client";
import { checkEmail } from "../../shared/rules";
import type { BackInStock } from "../../shared/rust-pages";
import { requestBackInStockEmail } from "./api";

/** The request for a back-in-stock email: its state, and the function that sends it. */
export function useBackInStock(productId: string) {
  const [backInStock, setBackInStock] = useState<BackInStock>({ state: "idle", message: "" });

  async function emailWhenBack(email: string): Promise<void> {
    const invalid = checkEmail(email);
    if (invalid !== undefined) return setBackInStock({ state: "failed", message: invalid });
    setBackInStock({ state: "sending", message: "" });
    try {
      const { message } = await requestBackInStockEmail(productId, email);
      setBackInStock({ state: "sent", message });
    } catch (error) {
      const message = serverFieldErrors(error)["email"] ?? serverMessage(error, "An error occurred. Please try again.");
      setBackInStock({ state: "failed", message });
    }
  }

  return { backInStock, emailWhenBack };
}
