import { useState } from "react";
import { Button } from "../../shared/ui/button";
import { Notice } from "../../shared/ui/notice";

/** Paid, and no order yet. The button asks for the order alone, so it can be pressed as often as one likes. */
export function UnorderedNotice({ message, onAgain }: { message: string; onAgain: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false);

  async function again() {
    setBusy(true);
    await onAgain();
    setBusy(false);
  }

  return (
    <div className="space-y-4">
      <Notice kind="bad">{message}</Notice>
      <p>If your payment went through, your order is made from it by itself within a minute, and you get a mail.</p>
      <Button onClick={() => void again()} disabled={isBusy}>
        Try Again
      </Button>
    </div>
  );
}
