import { Eye, EyeOff } from "lucide-react";
import { useFetcher } from "react-router";
import type { FormResult } from "../../../shared/form-result";
import type { Product } from "../../../shared/rules";
import { Button } from "../../../shared/ui/button";

/** Hides or shows a product. A hidden product is hidden from the catalog and stays in its orders. */
export function ActiveToggle({ product }: { product: Product }) {
  const fetcher = useFetcher<FormResult>();
  const isBusy = fetcher.state !== "idle";
  const failure = fetcher.data?.kind === "failed" && !isBusy ? fetcher.data.message : undefined;
  const verb = product.active ? "Hide" : "Show";
  const Icon = product.active ? EyeOff : Eye;
  return (
    <fetcher.Form method="post">
      <input type="hidden" name="intent" value="active" />
      <input type="hidden" name="id" value={product.id} />
      <input type="hidden" name="version" value={product.version} />
      <input type="hidden" name="active" value={String(!product.active)} />
      <Button
        type="submit"
        variant="ghost"
        className="px-3"
        disabled={isBusy}
        title={verb}
        aria-label={`${verb} ${product.name}`}
      >
        <Icon aria-hidden className="size-4" />
      </Button>
      {failure !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {failure}
        </p>
      )}
    </fetcher.Form>
  );
}
