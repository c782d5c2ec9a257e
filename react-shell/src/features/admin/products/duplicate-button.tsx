import { Copy } from "lucide-react";
import { useEffect, useRef } from "react";
import { useFetcher } from "react-router";
import type { FormResult } from "../../../shared/form-result";
import type { Product } from "../../../shared/rules";
import { Button } from "../../../shared/ui/button";

interface Props {
  product: Product;
  onResult: (result: FormResult) => void;
}

/** Creates a hidden copy of a product, without stock, photos, SKU and GTIN. */
export function DuplicateButton({ product, onResult }: Props) {
  const fetcher = useFetcher<FormResult>();
  const result = fetcher.state === "idle" ? fetcher.data : undefined;
  const handled = useRef<FormResult>(undefined);
  useEffect(() => {
    if (result === undefined || handled.current === result) return;
    handled.current = result;
    onResult(result);
  }, [result, onResult]);

  return (
    <fetcher.Form method="post">
      <input type="hidden" name="intent" value="duplicate" />
      <input type="hidden" name="id" value={product.id} />
      <Button
        type="submit"
        variant="ghost"
        className="px-3"
        disabled={fetcher.state !== "idle"}
        title="Duplicate"
        aria-label={`Duplicate ${product.name}`}
      >
        <Copy aria-hidden className="size-4" />
      </Button>
    </fetcher.Form>
  );
}
