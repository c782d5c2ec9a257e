import { useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { filterOf } from "./order-filter";

/** Largest number of orders selected one by one; the server's limit of `numbers`. */
export const MAX_SELECTED = 200;

/** Orders selected by number, on any page of the list, or all that match the filter. */
export interface OrderSelection {
  numbers: ReadonlySet<number>;
  /** Whether all orders of the filter are selected, also those on other pages. */
  isAllMatching: boolean;
  /** Selects or deselects an order. With the Shift key, all orders between it and the last one get the same state. */
  toggle: (number: number, listed: number[], isRange: "range" | "single") => void;
  /** Selects all listed orders, or deselects them if all are selected. */
  toggleAll: (listed: number[]) => void;
  selectAllMatching: () => void;
  clear: () => void;
}

export function useOrderSelection(): OrderSelection {
  const [params] = useSearchParams();
  const filter = filterOf(params).toString();
  const [numbers, setNumbers] = useState<ReadonlySet<number>>(new Set());
  /** The filter whose orders are all selected. Another filter has other orders. */
  const [matching, setMatching] = useState<string>();
  const last = useRef<number>(undefined);
  const isAllMatching = matching === filter;

  function select(selected: ReadonlySet<number>) {
    setMatching(undefined);
    setNumbers(selected);
  }

  function toggle(number: number, listed: number[], mode: "range" | "single") {
    const start = mode === "range" && last.current !== undefined ? listed.indexOf(last.current) : -1;
    const end = listed.indexOf(number);
    const changed = start === -1 ? [number] : listed.slice(Math.min(start, end), Math.max(start, end) + 1);
    last.current = number;
    select(numbers.has(number) ? without(numbers, changed) : new Set([...numbers, ...changed]));
  }

  function toggleAll(listed: number[]) {
    const areAllSelected = listed.every((number) => numbers.has(number));
    select(areAllSelected ? without(numbers, listed) : new Set([...numbers, ...listed]));
  }

  const selectAllMatching = () => setMatching(filter);
  return { numbers, isAllMatching, toggle, toggleAll, selectAllMatching, clear: () => select(new Set()) };
}

/** The query of the selected orders, or of the list's filter when none or all of them are selected. */
export function queryOf(selection: OrderSelection, params: URLSearchParams): URLSearchParams {
  if (selection.isAllMatching || selection.numbers.size === 0) return filterOf(params);
  return new URLSearchParams({ numbers: [...selection.numbers].join(",") });
}

function without(numbers: ReadonlySet<number>, removed: number[]): ReadonlySet<number> {
  return new Set([...numbers].filter((number) => !removed.includes(number)));
}
