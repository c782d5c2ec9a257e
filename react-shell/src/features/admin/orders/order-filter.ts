import {
  formatDate,
  orderStatuses,
  orderStatusLabel,
  paymentStatusLabel,
  type PaymentStatus,
} from "../../../shared/rules";

/** Query parameters of the order filter. */
export const ORDER_FILTERS = [
  "startDate",
  "endDate",
  "status",
  "payment",
  "country",
  "product",
  "open_alerts",
  "held",
  "q",
  "numbers",
  "sort",
] as const;

export const PAYMENT_STATUSES: PaymentStatus[] = ["paid", "partially_refunded", "refunded", "disputed"];
export const COUNTRIES = { US: "United States", CA: "Canada" };

type FilterName = (typeof ORDER_FILTERS)[number];

const FILTER_LABELS: Record<FilterName, (value: string) => string> = {
  startDate: (day) => `From ${formatDayFilter(day)}`,
  endDate: (day) => `To ${formatDayFilter(day)}`,
  status: (status) => `Status: ${formatStatusFilter(status)}`,
  payment: (payment) => `Payment: ${formatPaymentFilter(payment)}`,
  country: (country) => `Country: ${country in COUNTRIES ? COUNTRIES[country as keyof typeof COUNTRIES] : country}`,
  product: () => "Product",
  open_alerts: () => "Open alerts",
  held: (held) => (held === "true" ? "On hold" : "Not on hold"),
  q: (text) => `Search: ${text}`,
  numbers: (numbers) => `Orders: ${numbers}`,
  sort: (sort) => (sort === "oldest" ? "Oldest first" : `Sort: ${sort}`),
};

/** An invalid date is shown as it is; the server returns its error. */
function formatDayFilter(day: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? formatDate(`${day}T00:00:00Z`) : day;
}

/** An unknown status, from a hand-edited URL, is shown as it is. */
function formatStatusFilter(value: string): string {
  const status = orderStatuses().find((known) => known === value);
  return status === undefined ? value : orderStatusLabel(status);
}

function formatPaymentFilter(value: string): string {
  const status = PAYMENT_STATUSES.find((known) => known === value);
  return status === undefined ? value : paymentStatusLabel(status);
}

interface ActiveFilter {
  name: FilterName;
  label: string;
  /** The query without this filter, at the first page. */
  without: string;
}

export function activeFilters(params: URLSearchParams): ActiveFilter[] {
  return ORDER_FILTERS.flatMap((name) => {
    const value = params.get(name)?.trim() ?? "";
    if (value === "") return [];
    const rest = filterOf(params);
    rest.delete(name);
    return { name, label: FILTER_LABELS[name](value), without: rest.toString() };
  });
}

/** The filter's parameters, without the page and empty values. */
export function filterOf(params: URLSearchParams): URLSearchParams {
  const filter = new URLSearchParams();
  for (const name of ORDER_FILTERS) {
    const value = params.get(name)?.trim() ?? "";
    if (value !== "") filter.set(name, value);
  }
  return filter;
}

/** A path with the filter of the list that it was opened from. */
export function withFilter(path: string, params: URLSearchParams): string {
  const filter = filterOf(params).toString();
  return filter === "" ? path : `${path}?${filter}`;
}
