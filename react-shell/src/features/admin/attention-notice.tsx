import { useFetcher } from "react-router";
import type { Outcome } from "../../shared/outcome";
import { Button } from "../../shared/ui/button";
import { Notice } from "../../shared/ui/notice";

/** Why somebody has to look at this order, and the button of who has. */
export function AttentionNotice({ why }: { why: string | undefined }) {
  const fetcher = useFetcher<Outcome>();
  const isBusy = fetcher.state !== "idle";
  return (
    <Notice kind="warn">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <p className="font-semibold">Needs attention</p>
          <p>{why ?? "Somebody has to look at this order."}</p>
          {!isBusy && fetcher.data?.kind === "failed" && <p className="text-bad">{fetcher.data.message}</p>}
        </div>
        <fetcher.Form method="post">
          <input type="hidden" name="intent" value="settle" />
          <Button type="submit" disabled={isBusy}>
            {isBusy ? "Saving..." : "Mark as Dealt With"}
          </Button>
        </fetcher.Form>
      </div>
    </Notice>
  );
}
