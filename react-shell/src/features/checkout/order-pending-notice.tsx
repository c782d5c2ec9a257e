import { useState } from "react";
import { useRootData } from "../../shared/root-data";
import { Button } from "../../shared/ui/button";
import { Notice } from "../../shared/ui/notice";

/** A payment without an order yet. The button requests only the order, so a retry never charges twice. */
export function OrderPendingNotice({ message, onRetry }: { message: string; onRetry: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false);
  const { support_email: supportEmail } = useRootData().config;

  async function retry() {
    setBusy(true);
    await onRetry();
    setBusy(false);
  }

  return (
    <div className="space-y-4">
      <Notice kind="error">{message}</Notice>
      <p>If your payment went through, your order will appear within a minute and you’ll get an email.</p>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button onClick={() => void retry()} disabled={isBusy}>
          Try Again
        </Button>
        <a href={`mailto:${supportEmail}`} className="text-link">
          Contact Us
        </a>
      </p>
    </div>
  );
}
