import { screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { offline, openShop, signIn } from "../../../test-shop";
import type { HealthReport } from "./api";

const GET = "GET /api/admin/health";

const WELL: HealthReport = {
  problems: [],
  version: "0.1.0",
  schema_version: 1,
  database_bytes: 10_485_760,
  disk_free_bytes: 51_539_607_552,
  provider_responds: true,
  emails: { waiting: 0 },
  failed_emails: 0,
  webhook_events: { waiting: 0 },
  pending_tax_records: 0,
  open_checkouts: 3,
  open_alerts: 0,
  payments_without_order: 0,
  reconciled_at: "2026-12-24T13:04:00-05:00",
  drilled_at: "2026-12-20T04:00:00-05:00",
};

/** What is said about a fact. */
function fact(name: string): string | null | undefined {
  return screen.getByText(name, { selector: "dt" }).nextElementSibling?.textContent;
}

beforeEach(() => signIn("admin@nudgelight.example", ["Admin"]));

describe("the shop’s health", () => {
  test("says that everything works, with the figures", async () => {
    openShop("/admin/health", { [GET]: { ...WELL, backed_up_at: "2026-12-24T03:00:00-05:00" } });
    await screen.findByText("Everything works.");
    expect(screen.queryByText("Needs attention")).toBeNull();
    expect(fact("Emails")).toBe("0");
    expect(fact("Open checkouts")).toBe("3");
    expect(fact("Payment provider")).toBe("Responds");
    expect(fact("Payments last compared")).toBe("12/24/2026, 1:04 PM");
    expect(fact("Last backup")).toBe("12/24/2026, 3:00 AM");
    expect(fact("Last restore drill")).toBe("12/20/2026, 4:00 AM");
    expect(fact("Database")).toBe("10.5 MB");
    expect(fact("Free disk space")).toBe("51.5 GB");
    expect(fact("Version")).toBe("0.1.0");
    expect(screen.queryByText("Last mail error")).toBeNull();
  });

  test("says that no backup is recorded", async () => {
    openShop("/admin/health", { [GET]: WELL });
    await screen.findByText("Everything works, but no backup is recorded.");
    expect(fact("Last backup")).toBe("None recorded");
  });

  test("says what is wrong and what to do, the most urgent first", async () => {
    openShop("/admin/health", {
      [GET]: {
        ...WELL,
        problems: ["provider_down", "clocks_differ", "emails_wait"],
        provider_responds: false,
        clock_ahead_ms: -3_600_000,
        emails: { waiting: 1200, oldest: "2026-12-24T13:00:00-05:00" },
        email_failure: "connection refused",
      },
    });
    const heading = await screen.findByRole("heading", { name: "Needs attention" });
    const items = within(heading.parentElement as HTMLElement).getAllByRole("listitem");
    expect(items.map((item) => item.textContent)).toEqual([
      "The payment provider doesn’t respond. Nobody can pay.Look at the provider’s status page. The shop tries again every ten seconds.",
      "The server’s clock and the database’s differ by more than 30 seconds.Synchronize both with NTP, for example with chrony. Logins and payments depend on the time.",
      "Emails aren’t being sent.Check the mail server. Its last response is below.",
    ]);
    expect(screen.queryByText("Everything works.")).toBeNull();
    expect(fact("Emails")).toBe("1,200 since 12/24/2026, 1:00 PM");
    expect(fact("Last mail error")).toBe("connection refused");
    expect(fact("Clock, compared with the database’s")).toBe("3,600 s behind");
    expect(fact("Payment provider")).toBe("Doesn’t respond");
  });

  test("says so if it can’t be loaded", async () => {
    openShop("/admin/health", { [GET]: offline });
    expect(await screen.findByText("Failed to fetch the shop’s health. Please try again later.")).toBeTruthy();
  });
});
