import { useNavigate, useSearchParams } from "react-router";
import { ORDERS_PER_PAGE } from "../../../shared/order-list";
import type { OrderPage } from "../../../shared/rules";
import { localStore } from "../../../shared/storage";

const CHOICES = [ORDERS_PER_PAGE, 25, 50, 100];
/** Stores the number chosen last in this browser. */
const KEY = "ordersPerPage";

/** Rows per page: of the URL, or as chosen last in this browser. */
export function rowsPerPage(params: URLSearchParams): number {
  return choiceOf(params.get("limit")) ?? choiceOf(localStore.getItem(KEY)) ?? ORDERS_PER_PAGE;
}

function choiceOf(text: string | null): number | undefined {
  return CHOICES.find((choice) => String(choice) === text);
}

/** The shown range, and the choice of rows per page. */
export function RowsPerPage({ page }: { page: OrderPage }) {
  const [params] = useSearchParams();
  const navigate = useNavigate();

  function choose(limit: string) {
    localStore.setItem(KEY, limit);
    const query = new URLSearchParams(params);
    query.delete("page");
    query.set("limit", limit);
    void navigate(`?${query}`, { preventScrollReset: true });
  }

  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-sm">
      <p className="tabular-nums">{describeRange(page, rowsPerPage(params))}</p>
      <label className="flex min-h-11 items-center gap-2">
        Rows per page
        <select
          className="min-h-9 rounded-field border border-edge bg-card px-2"
          value={rowsPerPage(params)}
          onChange={(event) => choose(event.target.value)}
        >
          {CHOICES.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** `1–25 of 1,500` */
function describeRange({ orders, page, total, more_than_total: moreThanTotal }: OrderPage, limit: number): string {
  const first = (page - 1) * limit + 1;
  const all = moreThanTotal ? `more than ${format(total)}` : format(total);
  return `${format(first)}–${format(first + orders.length - 1)} of ${all}`;
}

function format(number: number): string {
  return number.toLocaleString("en-US");
}
