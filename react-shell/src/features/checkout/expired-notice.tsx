import { Form, useActionData, useNavigation } from "react-router";
import { fromAddress } from "../../shared/address-form";
import type { FormResult } from "../../shared/form-result";
import { Button } from "../../shared/ui/button";
import { Notice } from "../../shared/ui/notice";
import { FormResultNotice } from "../../shared/ui/form-result-notice";
import type { OpenIntent } from "./checkout-draft";

/** The stock reservation has expired. The button reserves the items again, at current prices. */
export function ExpiredNotice({ intent }: { intent: OpenIntent }) {
  const result = useActionData<FormResult>();
  const isBusy = useNavigation().state !== "idle";
  return (
    <Form method="post" replace className="space-y-4">
      {Object.entries(fromAddress(intent.address)).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Notice kind="warning">Your reservation has expired. Nothing was charged.</Notice>
      <FormResultNotice result={result} />
      <Button type="submit" variant="primary" className="w-full sm:w-auto" disabled={isBusy}>
        {isBusy ? "Checking..." : "Reserve Again"}
      </Button>
    </Form>
  );
}
