import { useRef, useState, type FormEvent } from "react";
import { useFetcher } from "react-router";
import type { Outcome } from "../../shared/outcome";
import type { Product } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { checkStock } from "./product-form";

/** The count on hand, edited in its row. Save appears as soon as there is something to save; Escape gives it up. */
export function StockEditor({ product }: { product: Product }) {
  const fetcher = useFetcher<Outcome>();
  const isBusy = fetcher.state !== "idle";
  const outcome = isBusy ? undefined : fetcher.data;
  const field = useRef<HTMLInputElement>(null);
  const { was, typed, type } = useTypedStock(product.stock, outcome);
  const isChanged = typed !== String(was);
  const [wrong, setWrong] = useState<string>();
  const failure = wrong ?? (outcome?.kind === "failed" && isChanged ? outcome.message : undefined);
  const errorId = `stock-error-${product.id}`;

  function submit(event: FormEvent) {
    if (typed === "" || !isChanged) return event.preventDefault();
    const found = checkStock(product, typed);
    setWrong(found);
    if (found !== undefined) event.preventDefault();
    // The button goes as soon as all is saved: the focus stays where the count is.
    field.current?.focus();
  }

  function change(next: string) {
    setWrong(undefined);
    type(next);
  }

  return (
    <fetcher.Form
      method="post"
      noValidate
      className="flex items-center gap-2 max-xl:flex-wrap xl:min-w-46 xl:has-[[role=alert]]:flex-wrap"
      onSubmit={submit}
    >
      <input type="hidden" name="intent" value="stock" />
      <input type="hidden" name="id" value={product.id} />
      <input type="hidden" name="was" value={was} />
      <input
        ref={field}
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
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && change(String(was))}
        className="min-h-11 w-24 rounded-field border border-edge bg-card px-3 py-2 tabular-nums"
      />
      {isChanged && (
        <Button type="submit" disabled={isBusy || typed === ""}>
          {isBusy ? "Saving..." : "Save"}
          <span className="sr-only"> the stock of {product.name}</span>
        </Button>
      )}
      <span role="status" className="text-sm text-ok">
        {outcome?.kind === "done" && !isChanged && outcome.message}
      </span>
      {failure !== undefined && (
        <p id={errorId} role="alert" className="w-full text-sm text-bad">
          {failure}
        </p>
      )}
    </fetcher.Form>
  );
}

/**
 * What was typed, and the count it was typed over. While somebody types, a sale must not change either: the difference
 * between the two is what is saved.
 */
function useTypedStock(stock: number, outcome: Outcome | undefined) {
  const [was, setWas] = useState(stock);
  const [typed, setTyped] = useState(String(stock));
  const [handled, setHandled] = useState(outcome);
  const isSaved = outcome !== handled && outcome?.kind === "done";
  if (outcome !== handled) setHandled(outcome);
  if (isSaved || (stock !== was && typed === String(was))) {
    setWas(stock);
    setTyped(String(stock));
  }
  return { was, typed, type: setTyped };
}
