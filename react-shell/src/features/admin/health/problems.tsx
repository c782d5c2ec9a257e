import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import { Card } from "../../../shared/ui/page";
import type { HealthReport } from "./api";

type HealthProblem = HealthReport["problems"][number];

/** What each problem is, and what to do about it. */
const TEXTS: Record<HealthProblem, { title: string; action: string }> = {
  payment_without_order: {
    title: "A customer paid and has no order.",
    action: "Follow the alert on the Overview, and compare the payment with the payment provider.",
  },
  provider_down: {
    title: "The payment provider doesn’t respond. Nobody can pay.",
    action: "Look at the provider’s status page. The shop tries again every ten seconds.",
  },
  clocks_differ: {
    title: "The server’s clock and the database’s differ by more than 30 seconds.",
    action: "Synchronize both with NTP, for example with chrony. Logins and payments depend on the time.",
  },
  disk_almost_full: {
    title: "Less than 1 GB is free on the disk.",
    action: "Free disk space, or enlarge the disk. A full disk stops sales.",
  },
  events_wait: {
    title: "Events from the payment provider wait.",
    action: "The shop tries again by itself. If they still wait in ten minutes, look at the log.",
  },
  not_reconciled: {
    title: "Payments weren’t compared with the payment provider for half an hour.",
    action: "Run nudgelight reconcile. It names what it can’t compare.",
  },
  emails_wait: {
    title: "Emails aren’t being sent.",
    action: "Check the mail server. Its last response is below.",
  },
  emails_failed: {
    title: "An email couldn’t be delivered.",
    action: "Find it on the customer’s page, and resend it once the address or the mail server is right.",
  },
  open_alerts: {
    title: "An alert about an order or a payment is open.",
    action: "Follow it on the Overview.",
  },
  backup_old: {
    title: "The last backup is more than a day old.",
    action: "Check the timer that runs nudgelight backup.",
  },
  drill_old: {
    title: "The last successful restore drill is more than eight days old.",
    action: "Check the timer that runs nudgelight drill, and its output.",
  },
};

interface Props extends Pick<HealthReport, "problems"> {
  isBackedUp: boolean;
}

/** What needs attention, the most urgent first. */
export function Problems({ problems, isBackedUp }: Props) {
  if (problems.length === 0 && !isBackedUp) return <NoBackup />;
  if (problems.length === 0) {
    return (
      <Card className="flex items-center gap-3">
        <CircleCheck aria-hidden className="size-5 shrink-0 text-ok" />
        <p className="font-semibold">Everything works.</p>
      </Card>
    );
  }
  return (
    <Card>
      <h2 className="mb-4 text-xl">Needs attention</h2>
      <ul className="space-y-4">
        {problems.map((problem) => (
          <li key={problem} className="flex gap-3">
            <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-bad" />
            <div>
              <p className="font-semibold">{TEXTS[problem].title}</p>
              <p className="text-muted">{TEXTS[problem].action}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** A notice, not a problem: another program may copy the database without the shop’s knowledge. */
function NoBackup() {
  return (
    <Card className="flex gap-3">
      <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-warn" />
      <div>
        <p className="font-semibold">Everything works, but no backup is recorded.</p>
        <p className="text-muted">
          Set up the timer that runs nudgelight backup, or make sure that another program copies the database.
        </p>
      </div>
    </Card>
  );
}
