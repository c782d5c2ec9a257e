import { Notice } from "../../shared/ui/notice";
import { useIsCartStored } from "./use-cart";

/** Warns that the cart is in memory only and will be lost. */
export function UnsavedCartNotice() {
  if (useIsCartStored()) return null;
  return (
    <div className="mb-6">
      <Notice kind="warning">
        Your browser blocks storage for this site or has no space left, so your cart lasts only until you reload or
        close this page. To keep it and check out, allow site data for this site in your browser’s settings, then reload
        and add your items again.
      </Notice>
    </div>
  );
}
