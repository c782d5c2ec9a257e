import { useRef, useState } from "react";
import { filterOf } from "./order-filter";

/** Largest number of selected orders; the server's limit of `numbers`. */
export const MAX_SELECTED = 200;

/** Orders selected by number, on any page of the list. */
export interface OrderSelection {
  numbers: ReadonlySet<number>;
  /** Selects or deselects an order. With the Shift key, all orders between it and the last one get the same state. */
  toggle: (number: number, listed: number[], isRange: "range" | "single") => void;
  /** Selects all listed orders, or deselects them if all are selected. */
  toggleAll: (listed: number[]) => void;
  clear: () => void;
}

export function useOrderSelection(): OrderSelection {
  const [numbers, setNumbers] = useState<ReadonlySet<number>>(new Set());
  const last = useRef<number>(undefined);

  function toggle(number: number, listed: number[], mode: "range" | "single") {
    const start = mode === "range" && last.current !== undefined ? listed.indexOf(last.current) : -1;
    const end = listed.indexOf(number);
    const changed = start === -1 ? [number] : listed.slice(Math.min(start, end), Math.max(start, end) + 1);
    last.current = number;
    setNumbers(numbers.has(number) ? without(numbers, changed) : new Set([...numbers, ...changed]));
  }

  function toggleAll(listed: number[]) {
    const areAllSelected = listed.every((number) => numbers.has(number));
    setNumbers(areAllSelected ? without(numbers, listed) : new Set([...numbers, ...listed]));
  }

  return { numbers, toggle, toggleAll, clear: () => setNumbers(new Set()) };
}

/** The query of the selected orders, or of the list's filter when none is selected. */
export function queryOf(selection: OrderSelection, params: URLSearchParams): URLSearchParams {
  if (selection.numbers.size === 0) return filterOf(params);
  return new URLSearchParams({ numbers: [...selection.numbers].join(",") });
}

function without(numbers: ReadonlySet<number>, removed: number[]): ReadonlySet<number> {
  return new Set([...numbers].filter((number) => !removed.includes(number)));
}
