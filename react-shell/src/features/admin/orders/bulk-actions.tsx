import { Printer } from "lucide-react";
import { useSearchParams } from "react-router";
import type { OrderPage } from "../../../shared/rules";
import { buttonClass } from "../../../shared/ui/button-class";
import { ShopLink } from "../../../shared/ui/link";
import { BulkStatusButton } from "./bulk-status/bulk-status-button";
import type { StatusChange } from "./bulk-status/use-bulk-status";
import { ExportButton } from "./export-button";
import { MAX_SELECTED, queryOf, slipQueryOf, type OrderSelection } from "./order-selection";
import { orderPaths } from "./paths";

interface Props {
  selection: OrderSelection;
  onStatus: (change: StatusChange) => void;
}

/** Prints and exports the selected orders, or all that match the filter, and changes the status of the selected ones. */
export function BulkActions({ selection, onStatus }: Props) {
  const [params] = useSearchParams();
  if (!selection.isAllMatching && selection.numbers.size > MAX_SELECTED) {
    return (
      <p role="alert" className="text-sm text-bad">
        At most {MAX_SELECTED} orders can be selected at once. Select fewer orders, or all that match a filter.
      </p>
    );
  }
  const query = queryOf(selection, params);
  const isAnySelected = selection.isAllMatching || selection.numbers.size > 0;
  return (
    <div className="mb-2 flex flex-wrap items-center gap-3">
      <ShopLink to={orderPaths.packingSlips(slipQueryOf(selection, params))} className={buttonClass("secondary")}>
        <Printer aria-hidden className="size-5" />
        Packing Slips
      </ShopLink>
      <ExportButton query={query} />
      {isAnySelected && <BulkStatusButton query={query} onStatus={onStatus} />}
    </div>
  );
}

/** How many orders are selected, and which of the listed ones. */
export function SelectionBar({ selection, page }: { selection: OrderSelection; page: OrderPage }) {
  const listed = page.orders.map((order) => order.number);
  const isPageSelected = listed.every((number) => selection.numbers.has(number));
  const isAny = selection.isAllMatching || selection.numbers.size > 0;
  return (
    <div className="mb-2 flex min-h-11 flex-wrap items-center gap-x-4 px-2 sm:px-4">
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          className="size-5 shrink-0"
          checked={selection.isAllMatching || isPageSelected}
          onChange={() => selection.toggleAll(listed)}
        />
        Select all on this page
      </label>
      <span role="status" className="tabular-nums">
        {describeSelection(selection, page)}
      </span>
      {isPageSelected && !selection.isAllMatching && page.totalPages > 1 && (
        <button type="button" className="text-link min-h-11" onClick={selection.selectAllMatching}>
          Select all {countOf(page)} that match
        </button>
      )}
      {isAny && (
        <button type="button" className="text-link min-h-11" onClick={selection.clear}>
          Clear <span className="sr-only">selection</span>
        </button>
      )}
    </div>
  );
}

function describeSelection(selection: OrderSelection, page: OrderPage): string {
  if (selection.isAllMatching) return `All ${countOf(page)} that match are selected`;
  return selection.numbers.size > 0 ? `${selection.numbers.size} selected` : "";
}

function countOf({ total, more_than_total: moreThanTotal }: OrderPage): string {
  return moreThanTotal ? "" : total.toLocaleString("en-US");
}
