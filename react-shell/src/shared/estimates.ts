/** Estimates of tax and arrival: a WASM package of its own, loaded by the pages that estimate. */
import type * as Package from "../generated/estimates/estimates.js";

export type Estimates = Pick<typeof Package, "estimateTax" | "estimatedArrival" | "minutesToCutoff">;

let loading: Promise<Estimates> | undefined;

/** Loads the package once per document. A failed request is retried on the next call. */
export function loadEstimates(): Promise<Estimates> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Estimates> {
  const { default: init, ...estimates } = await import("../generated/estimates/estimates.js");
  await init();
  return estimates;
}
