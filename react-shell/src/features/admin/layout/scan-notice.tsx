import { useState } from "react";
import { useNavigateTo } from "../../../shared/use-navigate-to";
import { Notice } from "../../../shared/ui/notice";
import { findOrderByNumber } from "./api";
import { useScanner } from "./use-scanner";
import { adminPaths } from "../shared/paths";

/** Opens the order of a scanned packing slip, on every admin page. Renders the error of a failed scan. */
export function ScanNotice() {
  const [error, setError] = useState<string>();
  const navigateTo = useNavigateTo();

  async function open(number: string) {
    setError(undefined);
    try {
      const order = await findOrderByNumber(number);
      if (order) navigateTo(adminPaths.order(order.id));
      else setError(`There is no order ${number}.`);
    } catch {
      setError(`Failed to open order ${number}. Please scan it again.`);
    }
  }

  useScanner((number) => void open(number));
  return error === undefined ? null : <Notice kind="error">{error}</Notice>;
}
