import { Form, useActionData, useNavigation } from "react-router";
import { fromAddress } from "../../shared/address-form";
import type { Outcome } from "../../shared/outcome";
import { Button } from "../../shared/ui/button";
import { Notice } from "../../shared/ui/notice";
import { OutcomeNotice } from "../../shared/ui/outcome-notice";
import type { OpenIntent } from "./checkout-draft";

/** The goods were held for a while, and that while is over: one press holds them again, at today's price. */
export function LapsedNotice({ intent }: { intent: OpenIntent }) {
  const outcome = useActionData<Outcome>();
  const isBusy = useNavigation().state !== "idle";
  return (
    <Form method="post" replace className="space-y-4">
      {Object.entries(fromAddress(intent.address)).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Notice kind="warn">The time for which your lights were held is over. Nothing was charged.</Notice>
      <OutcomeNotice outcome={outcome} />
      <Button type="submit" look="primary" disabled={isBusy}>
        {isBusy ? "Checking..." : "Hold Them Again"}
      </Button>
    </Form>
  );
}
