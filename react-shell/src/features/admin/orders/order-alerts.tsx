import { useFetcher } from "react-router";
import type { FormResult } from "../../../shared/form-result";
import type { OrderAlert } from "../../../shared/rules";
import { Button } from "../../../shared/ui/button";
import { Notice } from "../../../shared/ui/notice";

/** The open alerts of an order, each with a button that resolves it. Renders nothing if there are none. */
export function OrderAlerts({ alerts }: { alerts: OrderAlert[] }) {
  if (alerts.length === 0) return null;
  return (
    <Notice kind="warning">
      <p className="font-semibold">{alerts.length === 1 ? "Alert" : "Alerts"}</p>
      <ul className="space-y-2">
        {alerts.map((alert) => (
          <AlertEntry key={alert.id} alert={alert} />
        ))}
      </ul>
    </Notice>
  );
}

function AlertEntry({ alert: { id, message } }: { alert: OrderAlert }) {
  const fetcher = useFetcher<FormResult>();
  const isBusy = fetcher.state !== "idle";
  return (
    <li className="flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0">
        <p className="break-words">{message}</p>
        {!isBusy && fetcher.data?.kind === "failed" && <p className="text-bad">{fetcher.data.message}</p>}
      </div>
      <fetcher.Form method="post">
        <input type="hidden" name="intent" value="resolve-alert" />
        <input type="hidden" name="alert" value={id} />
        <Button type="submit" disabled={isBusy}>
          {isBusy ? "Saving..." : "Resolve"}
          <span className="sr-only">: {message}</span>
        </Button>
      </fetcher.Form>
    </li>
  );
}
