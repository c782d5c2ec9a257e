import { Download } from "lucide-react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { downloadFile } from "../../shared/download-file";
import { Button } from "../../shared/ui/button";
import { exportOrders } from "./api";
import { filterOf } from "./order-filter";

/** Exports all orders that match the filter as CSV, not just the current page. */
export function ExportButton() {
  const [params] = useSearchParams();
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");

  async function download() {
    setState("busy");
    try {
      downloadFile(await exportOrders(filterOf(params)), `orders-${new Date().toISOString().slice(0, 10)}.csv`);
      setState("idle");
    } catch {
      setState("failed");
    }
  }

  return (
    <div className="flex flex-wrap items-center gap-3">
      {state === "failed" && (
        <p role="alert" className="text-sm text-bad">
          Failed to export orders. Please try again later.
        </p>
      )}
      <Button onClick={() => void download()} disabled={state === "busy"}>
        <Download aria-hidden className="size-5" />
        {state === "busy" ? "Exporting..." : "Export CSV"}
      </Button>
    </div>
  );
}
