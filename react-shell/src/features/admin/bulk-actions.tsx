import { Printer } from "lucide-react";
import { useSearchParams } from "react-router";
import { paths } from "../../shared/paths";
import { buttonClass } from "../../shared/ui/button-class";
import { ShopLink } from "../../shared/ui/link";
import { ExportButton } from "./export-button";
import { MAX_SELECTED, queryOf, type OrderSelection } from "./order-selection";

/** Prints and exports the selected orders, or all that match the filter. */
export function BulkActions({ selection }: { selection: OrderSelection }) {
  const [params] = useSearchParams();
  if (selection.numbers.size > MAX_SELECTED) {
    return (
      <p role="alert" className="text-sm text-bad">
        At most {MAX_SELECTED} orders can be selected at once. Select fewer orders.
      </p>
    );
  }
  const query = queryOf(selection, params);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <ShopLink to={paths.adminPackingSlips(query)} className={buttonClass("secondary")}>
        <Printer aria-hidden className="size-5" />
        Packing Slips
      </ShopLink>
      <ExportButton query={query} />
    </div>
  );
}

/** How many orders are selected, and which of the listed ones. */
export function SelectionBar({ selection, listed }: { selection: OrderSelection; listed: number[] }) {
  const selected = selection.numbers.size;
  return (
    <div className="mb-2 flex min-h-11 flex-wrap items-center gap-x-4 px-2 sm:px-4">
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          className="size-5 shrink-0"
          checked={listed.every((number) => selection.numbers.has(number))}
          onChange={() => selection.toggleAll(listed)}
        />
        Select all on this page
      </label>
      <span role="status" className="tabular-nums">
        {selected > 0 && `${selected} selected`}
      </span>
      {selected > 0 && (
        <button type="button" className="text-link min-h-11" onClick={selection.clear}>
          Clear <span className="sr-only">selection</span>
        </button>
      )}
    </div>
  );
}
