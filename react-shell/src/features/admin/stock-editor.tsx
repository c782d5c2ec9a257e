import { useState } from "react";
import { useFetcher } from "react-router";
import type { Outcome } from "../../shared/outcome";
import type { Product } from "../../shared/rules";
import { Button } from "../../shared/ui/button";

/** The count on hand, edited in its row. Save appears as soon as there is something to save. */
export function StockEditor({ product }: { product: Product }) {
  const fetcher = useFetcher<Outcome>();
  const [typed, setTyped] = useState(String(product.stock));
  const isBusy = fetcher.state !== "idle";
  const isChanged = typed !== String(product.stock);
  const failure = fetcher.data?.kind === "failed" && !isBusy ? fetcher.data.message : undefined;
  const errorId = `stock-error-${product.id}`;

  return (
    <fetcher.Form method="post" className="flex flex-wrap items-center gap-2">
      <input type="hidden" name="intent" value="stock" />
      <input type="hidden" name="id" value={product.id} />
      <input type="hidden" name="was" value={product.stock} />
      <input
        type="number"
        name="stock"
        min={0}
        step={1}
        inputMode="numeric"
        required
        aria-label={`Stock of ${product.name}`}
        aria-invalid={failure === undefined ? undefined : true}
        aria-describedby={failure === undefined ? undefined : errorId}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="min-h-11 w-24 rounded-field border border-edge bg-card px-3 py-2 tabular-nums"
      />
      {isChanged && (
        <Button type="submit" disabled={isBusy || typed === ""}>
          {isBusy ? "Saving..." : "Save"}
          <span className="sr-only"> the stock of {product.name}</span>
        </Button>
      )}
      {failure !== undefined && (
        <p id={errorId} role="alert" className="w-full text-sm text-bad">
          {failure}
        </p>
      )}
    </fetcher.Form>
  );
}
