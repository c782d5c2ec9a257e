import { useEffect, useRef, useState } from "react";
import { useFetcher } from "react-router";
import type { SaveOrderResult } from "./save-order";

/** Saves an order, for both the editor and the buttons of the order page. */
export interface OrderSaver {
  /** The result of the last save, until dismissed or saved again. */
  result: SaveOrderResult | undefined;
  isBusy: boolean;
  save: (form: FormData | Record<string, string>) => void;
  dismiss: () => void;
}

export function useOrderSaver(): OrderSaver {
  const fetcher = useFetcher<SaveOrderResult>();
  const [dismissed, setDismissed] = useState<SaveOrderResult>();
  const isBusy = fetcher.state !== "idle";
  // The second press of a double click comes before the button is disabled.
  const isSaving = useRef(false);
  useEffect(() => {
    isSaving.current = isBusy;
  }, [isBusy]);
  const result = isBusy || fetcher.data === dismissed ? undefined : fetcher.data;
  return {
    result,
    isBusy,
    save: (form) => {
      if (isSaving.current) return;
      isSaving.current = true;
      void fetcher.submit(form, { method: "post" });
    },
    dismiss: () => setDismissed(fetcher.data),
  };
}
