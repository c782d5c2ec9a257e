import { useEffect, useState } from "react";
import { loadEstimates, type Estimates } from "../../shared/estimates";
import type { Quote } from "../../shared/rules";
import type { Destination } from "./destination";

/** The estimated tax in dollars, once a state is chosen. */
export type TaxEstimate = { kind: "no-state" | "loading" | "failed" } | { kind: "estimated"; tax: number };

/** Estimates the tax by the table that a shop's checkout uses without the payment provider's calculation. */
export function useTaxEstimate({ country, state }: Destination, quote: Quote | undefined): TaxEstimate {
  const [table, setTable] = useState<Estimates | "failed">();
  const isWanted = state !== "";
  useEffect(() => {
    if (!isWanted) return;
    loadEstimates().then(setTable, () => setTable("failed"));
  }, [isWanted]);

  if (!isWanted) return { kind: "no-state" };
  if (table === "failed") return { kind: "failed" };
  if (table === undefined || quote === undefined) return { kind: "loading" };
  return { kind: "estimated", tax: table.estimateTax(country, state, quote.subtotal, quote.shipping) };
}
