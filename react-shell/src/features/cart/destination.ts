import { useState } from "react";
import { states, type Country } from "../../shared/rules";
import { localStore } from "../../shared/storage";

const KEY = "cart-destination";

/** Where the estimate of shipping and tax is for. */
export interface Destination {
  country: Country;
  /** Code of the state or province; empty until one is chosen. */
  state: string;
}

/** The chosen destination, which survives a reload. */
export function useDestination() {
  const [destination, setDestination] = useState(readDestination);

  function choose(next: Destination) {
    localStore.setItem(KEY, JSON.stringify(next));
    setDestination(next);
  }

  return { destination, choose };
}

function readDestination(): Destination {
  try {
    return toDestination(JSON.parse(localStore.getItem(KEY) ?? "{}"));
  } catch {
    return toDestination({});
  }
}

/** A destination from storage. An unknown state counts as none. */
function toDestination(stored: unknown): Destination {
  const { country: storedCountry, state } = (stored ?? {}) as Record<string, unknown>;
  const country = storedCountry === "CA" ? "CA" : "US";
  const isKnown = states(country).some(({ code }) => code === state);
  return { country, state: isKnown ? String(state) : "" };
}
