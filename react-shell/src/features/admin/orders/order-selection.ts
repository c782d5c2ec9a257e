import { useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { sessionStore } from "../../../shared/storage";
import { ORDERS_TO_PACK } from "../shared/paths";
import { filterOf } from "./order-filter";

/** Largest number of orders selected one by one; the server's limit of `numbers`. */
export const MAX_SELECTED = 200;

/** Stores the selection in this tab, so that it survives a visit to other pages, such as the packing slips. */
const KEY = "orderSelection";

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

interface Selected {
  numbers: ReadonlySet<number>;
  /** The filter whose orders are all selected. Another filter has other orders. */
  matching?: string;
}

export function useOrderSelection(): OrderSelection {
  const [params] = useSearchParams();
  const filter = filterOf(params).toString();
  const [{ numbers, matching }, setSelected] = useState(storedSelection);
  const last = useRef<number>(undefined);

  function select(selected: Selected) {
    sessionStore.setItem(KEY, JSON.stringify({ ...selected, numbers: [...selected.numbers] }));
    setSelected(selected);
  }

  function toggle(number: number, listed: number[], mode: "range" | "single") {
    const start = mode === "range" && last.current !== undefined ? listed.indexOf(last.current) : -1;
    const end = listed.indexOf(number);
    const changed = start === -1 ? [number] : listed.slice(Math.min(start, end), Math.max(start, end) + 1);
    last.current = number;
    select({ numbers: numbers.has(number) ? without(numbers, changed) : new Set([...numbers, ...changed]) });
  }

  function toggleAll(listed: number[]) {
    const areAllSelected = listed.every((number) => numbers.has(number));
    select({ numbers: areAllSelected ? without(numbers, listed) : new Set([...numbers, ...listed]) });
  }

  return {
    numbers,
    isAllMatching: matching === filter,
    toggle,
    toggleAll,
    selectAllMatching: () => select({ numbers, matching: filter }),
    clear: () => select({ numbers: new Set() }),
  };
}

function storedSelection(): Selected {
  const { numbers, matching } = JSON.parse(sessionStore.getItem(KEY) ?? "{}") as {
    numbers?: number[];
    matching?: string;
  };
  return { numbers: new Set(numbers), ...(matching !== undefined && { matching }) };
}

/** Clears the selection where no list shows it. */
export function clearOrderSelection(): void {
  sessionStore.removeItem(KEY);
}

/** The query of the selected orders, or of the list's filter when none or all of them are selected, in its order. */
export function queryOf(selection: OrderSelection, params: URLSearchParams): URLSearchParams {
  const filter = filterOf(params);
  if (selection.isAllMatching || selection.numbers.size === 0) return filter;
  return queryOfNumbers([...selection.numbers], filter);
}

/**
 * The query of the packing slips: the selected orders, or those of the list's filter if none are selected. A filter without
 * a status also matches shipped orders, so it is narrowed to the orders to pack.
 */
export function slipQueryOf(selection: OrderSelection, params: URLSearchParams): URLSearchParams {
  const query = queryOf(selection, params);
  const isChosen = selection.isAllMatching || query.has("numbers") || query.has("status") || query.has("held");
  return isChosen ? query : new URLSearchParams({ ...ORDERS_TO_PACK, ...Object.fromEntries(query) });
}

/** The query of these orders, in the order of the list that they were chosen from. */
export function queryOfNumbers(numbers: number[], filter: URLSearchParams): URLSearchParams {
  const sort = filter.get("sort");
  return new URLSearchParams({ numbers: numbers.join(","), ...(sort !== null && { sort }) });
}

function without(numbers: ReadonlySet<number>, removed: number[]): ReadonlySet<number> {
  return new Set([...numbers].filter((number) => !removed.includes(number)));
}
