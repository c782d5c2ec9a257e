import type { OrderPage } from "../rules";

/** Announces how many orders a filter finds. */
export function ResultCount({ page }: { page: OrderPage | undefined }) {
  return (
    <p role="status" className="sr-only">
      {page && describe(page)}
    </p>
  );
}

function describe({ total, more_than_total: moreThanTotal, page, totalPages }: OrderPage): string {
  const count = `${moreThanTotal ? "More than " : ""}${total.toLocaleString("en-US")}`;
  const found = `${count} ${total === 1 ? "order" : "orders"} found.`;
  return totalPages > 1 ? `${found} Page ${page} of ${totalPages}.` : found;
}
