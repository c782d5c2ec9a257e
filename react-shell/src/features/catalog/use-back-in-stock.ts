import { useState } from "react";
import { serverFieldErrors, serverMessage } from "../../shared/api-client";
import { solveProofOfWork } from "../../shared/proof-of-work";
import { checkEmail } from "../../shared/rules";
import { useRootData } from "../../shared/root-data";
import type { BackInStock } from "../../shared/rust-pages";
import { requestBackInStockEmail } from "./api";

/** The request for a back-in-stock email: its state, and the function that sends it. */
export function useBackInStock(productId: string) {
  const { kind } = useRootData().config.bot_check;
  const [backInStock, setBackInStock] = useState<BackInStock>({ state: "idle", message: "" });

  async function emailWhenBack(email: string): Promise<void> {
    const invalid = checkEmail(email);
    if (invalid !== undefined) return setBackInStock({ state: "failed", message: invalid });
    setBackInStock({ state: "sending", message: "" });
    try {
      // A third-party check is part of the account forms only.
      const token = kind === "off" ? "" : await solveProofOfWork("back_in_stock");
      const { message } = await requestBackInStockEmail(productId, email, token);
      setBackInStock({ state: "sent", message });
    } catch (error) {
      const message = serverFieldErrors(error)["email"] ?? serverMessage(error, "An error occurred. Please try again.");
      setBackInStock({ state: "failed", message });
    }
  }

  return { backInStock, emailWhenBack };
}
