import { useFetcher } from "react-router";
import type { FormResult } from "../../../shared/form-result";
import { Button } from "../../../shared/ui/button";
import { Notice } from "../../../shared/ui/notice";

/** The alert of an order that needs review, with a button that resolves it. */
export function AlertNotice({ reason }: { reason: string | undefined }) {
  const fetcher = useFetcher<FormResult>();
  const isBusy = fetcher.state !== "idle";
  return (
    <Notice kind="warning">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <p className="font-semibold">Needs review</p>
          <p>{reason ?? "This order needs review."}</p>
          {!isBusy && fetcher.data?.kind === "failed" && <p className="text-bad">{fetcher.data.message}</p>}
        </div>
        <fetcher.Form method="post">
          <input type="hidden" name="intent" value="resolve-alert" />
          <Button type="submit" disabled={isBusy}>
            {isBusy ? "Saving..." : "Resolve"}
          </Button>
        </fetcher.Form>
      </div>
    </Notice>
  );
}
