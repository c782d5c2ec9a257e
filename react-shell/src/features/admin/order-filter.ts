import { formatDate, orderStatuses, orderStatusLabel } from "../../shared/rules";

/** What the list can be narrowed by, as it stands in the address. */
export const ORDER_FILTERS = ["startDate", "endDate", "status", "q"] as const;

type FilterName = (typeof ORDER_FILTERS)[number];

const SAID: Record<FilterName, (value: string) => string> = {
  startDate: (day) => `From ${dayLabel(day)}`,
  endDate: (day) => `To ${dayLabel(day)}`,
  status: (word) => `Status: ${statusLabel(word)}`,
  q: (typed) => `Search: ${typed}`,
};

/** What is no day is shown as it is; the server says what is wrong with it. */
function dayLabel(day: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? formatDate(`${day}T00:00:00Z`) : day;
}

/** A status that somebody wrote into the address by hand is shown as it is. */
function statusLabel(word: string): string {
  const status = orderStatuses().find((known) => known === word);
  return status === undefined ? word : orderStatusLabel(status);
}

export interface ActiveFilter {
  name: FilterName;
  sentence: string;
  /** The filter without this one, from the first page on. */
  without: string;
}

export function activeFilters(params: URLSearchParams): ActiveFilter[] {
  return ORDER_FILTERS.flatMap((name) => {
    const value = params.get(name)?.trim() ?? "";
    if (value === "") return [];
    const rest = filterOf(params);
    rest.delete(name);
    return { name, sentence: SAID[name](value), without: rest.toString() };
  });
}

/** The filter alone, without the page and without what is empty. */
export function filterOf(params: URLSearchParams): URLSearchParams {
  const filter = new URLSearchParams();
  for (const name of ORDER_FILTERS) {
    const value = params.get(name)?.trim() ?? "";
    if (value !== "") filter.set(name, value);
  }
  return filter;
}
