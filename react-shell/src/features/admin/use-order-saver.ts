import { useState } from "react";
import { useFetcher } from "react-router";
import type { SaveOutcome } from "./save-order";

/** The one way from the order's page to the server, for its editor and its buttons alike. */
export interface OrderSaver {
  /** What became of the last try, until it is put aside or tried again. */
  outcome: SaveOutcome | undefined;
  isBusy: boolean;
  save: (form: FormData | Record<string, string>) => void;
  putAside: () => void;
}

export function useOrderSaver(): OrderSaver {
  const fetcher = useFetcher<SaveOutcome>();
  const [aside, setAside] = useState<SaveOutcome>();
  const isBusy = fetcher.state !== "idle";
  const outcome = isBusy || fetcher.data === aside ? undefined : fetcher.data;
  return {
    outcome,
    isBusy,
    save: (form) => void fetcher.submit(form, { method: "post" }),
    putAside: () => setAside(fetcher.data),
  };
}
