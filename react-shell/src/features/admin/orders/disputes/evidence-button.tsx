import { FileDown } from "lucide-react";
import { useState } from "react";
import { downloadFile } from "../../../../shared/download-file";
import { Button } from "../../../../shared/ui/button";
import { Notice } from "../../../../shared/ui/notice";
import { getEvidence } from "./api";

/** Downloads the evidence for a dispute: one document for print. */
export function EvidenceButton({ orderId }: { orderId: string }) {
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");

  async function download() {
    setState("busy");
    try {
      downloadFile(await getEvidence(orderId));
      setState("idle");
    } catch {
      setState("failed");
    }
  }

  return (
    <div className="no-print space-y-3">
      <Button disabled={state === "busy"} onClick={() => void download()}>
        <FileDown aria-hidden className="size-5" />
        {state === "busy" ? "Downloading..." : "Evidence"}
      </Button>
      <p className="text-sm text-muted">
        Receipt, addresses, tracking, emails, and policies in one document. Print it as a PDF and submit it in Stripe.
      </p>
      {state === "failed" && <Notice kind="error">Failed to download the evidence. Please try again later.</Notice>}
    </div>
  );
}
