import { useState } from "react";
import { Button } from "../../shared/ui/button";
import { Notice } from "../../shared/ui/notice";

/** A payment without an order yet. The button requests only the order, so a retry never charges twice. */
export function OrderPendingNotice({ message, onRetry }: { message: string; onRetry: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false);

  async function retry() {
    setBusy(true);
    await onRetry();
    setBusy(false);
  }

  return (
    <div className="space-y-4">
      <Notice kind="error">{message}</Notice>
      <p>If your payment went through, your order will appear within a minute and you’ll get an email.</p>
      <Button onClick={() => void retry()} disabled={isBusy}>
        Try Again
      </Button>
    </div>
  );
}
