import { useRef, useState, type FormEvent } from "react";
import { useFetcher } from "react-router";
import type { FormResult } from "../../../shared/form-result";
import type { Product } from "../../../shared/rules";
import { Button } from "../../../shared/ui/button";
import { checkStock } from "./product-form";
import { differenceResult, readStock } from "./stock-input";

/**
 * Inline editor of the stock: a number, or a difference like `+20`. The Save button appears after a change, with the
 * result of a difference; Escape discards it.
 */
export function StockEditor({ product }: { product: Product }) {
  const fetcher = useFetcher<FormResult>();
  const isBusy = fetcher.state !== "idle";
  const result = isBusy ? undefined : fetcher.data;
  const field = useRef<HTMLInputElement>(null);
  const { was, typed, type } = useStockInput(product.stock, result);
  const isChanged = typed !== String(was);
  const { result: stock } = readStock(typed, was);
  const preview = differenceResult(product, typed, was);
  const [error, setError] = useState<string>();
  const failure = error ?? (result?.kind === "failed" && isChanged ? result.message : undefined);
  const errorId = `stock-error-${product.id}`;

  function submit(event: FormEvent) {
    if (typed === "" || !isChanged) return event.preventDefault();
    const found = checkStock(product, stock);
    setError(found);
    if (found !== undefined) event.preventDefault();
    // The Save button disappears once saved, so the focus returns to the field.
    field.current?.focus();
  }

  function change(next: string) {
    setError(undefined);
    type(next);
  }

  return (
    <fetcher.Form
      method="post"
      noValidate
      className="flex items-center gap-2 max-xl:flex-wrap xl:min-w-56 xl:has-[[role=alert]]:flex-wrap"
      onSubmit={submit}
    >
      <input type="hidden" name="intent" value="stock" />
      <input type="hidden" name="id" value={product.id} />
      <input type="hidden" name="was" value={was} />
      <input type="hidden" name="stock" value={stock} />
      <input
        ref={field}
        type="text"
        autoComplete="off"
        required
        title="A number, or a difference like +20 or -3"
        aria-label={`Stock of ${product.name}`}
        aria-invalid={failure === undefined ? undefined : true}
        aria-describedby={failure === undefined ? undefined : errorId}
        value={typed}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && change(String(was))}
        className="min-h-11 w-24 rounded-field border border-edge bg-card px-3 py-2 tabular-nums"
      />
      {isChanged && (
        <SaveButton product={product} preview={preview} isBusy={isBusy} disabled={isBusy || typed === ""} />
      )}
      <span role="status" className="text-sm text-ok">
        {result?.kind === "succeeded" && !isChanged && result.message}
        {preview !== undefined && <span className="sr-only">{`New stock: ${preview}`}</span>}
      </span>
      {failure !== undefined && (
        <p id={errorId} role="alert" className="w-full text-sm text-bad">
          {failure}
        </p>
      )}
    </fetcher.Form>
  );
}

interface SaveButtonProps {
  product: Product;
  /** The result of a difference. */
  preview: string | undefined;
  isBusy: boolean;
  disabled: boolean;
}

function SaveButton({ product, preview, isBusy, disabled }: SaveButtonProps) {
  return (
    <Button type="submit" disabled={disabled}>
      {isBusy ? "Saving..." : "Save"}
      <span className="sr-only"> the stock of {product.name}</span>
      {preview !== undefined && !isBusy && <span className="font-normal tabular-nums">= {preview}</span>}
    </Button>
  );
}

/**
 * The typed stock and the stock it replaces (`was`). A sale during the edit changes neither, because the server applies
 * the difference between the two.
 */
function useStockInput(stock: number, result: FormResult | undefined) {
  const [was, setWas] = useState(stock);
  const [typed, setTyped] = useState(String(stock));
  const [handled, setHandled] = useState(result);
  const isSaved = result !== handled && result?.kind === "succeeded";
  if (result !== handled) setHandled(result);
  if (isSaved || (stock !== was && typed === String(was))) {
    setWas(stock);
    setTyped(String(stock));
  }
  return { was, typed, type: setTyped };
}
