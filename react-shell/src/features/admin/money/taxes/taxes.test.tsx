import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { errorResponse, offline, openShop, signIn, type MockResponses } from "../../../../test-shop";
import type { TaxReport } from "./api";
import { lastMonth, lastQuarter } from "./periods";

const REPORT: TaxReport = {
  from: "2026-10",
  to: "2026-11",
  rows: [
    {
      month: "2026-10",
      country: "CA",
      region: "QC",
      tax_type: "gst",
      sales: 64.43,
      collected: 3.22,
      refunded: 0,
      net: 3.22,
    },
    {
      month: "2026-10",
      country: "CA",
      region: "QC",
      tax_type: "qst",
      sales: 64.43,
      collected: 6.43,
      refunded: 0,
      net: 6.43,
    },
    {
      month: "2026-11",
      country: "US",
      region: "CA",
      tax_type: "sales_tax",
      sales: 31.19,
      collected: 3.62,
      refunded: 1.81,
      net: 1.81,
    },
  ],
  months: [
    { month: "2026-10", collected: 9.65, refunded: 0, net: 9.65 },
    { month: "2026-11", collected: 3.62, refunded: 1.81, net: 1.81 },
  ],
  collected: 13.27,
  refunded: 1.81,
  net: 11.46,
  this_month: "2026-11",
};

beforeEach(() => signIn("admin@nudgelight.example", ["Admin"]));

async function open(path: string, responses: MockResponses = {}) {
  const page = openShop(path, { "GET /api/admin/tax-report": REPORT, ...responses });
  await screen.findByRole("heading", { name: "Tax Report" });
  return page;
}

function rows(): string[][] {
  return screen.getAllByRole("row").map((row) => [...row.children].map((cell) => cell.textContent ?? ""));
}

describe("the tax report", () => {
  test("has a group for each month, the names of states and taxes, and the totals", async () => {
    await open("/admin/taxes");
    expect(rows().slice(1)).toEqual([
      ["October 2026"],
      ["Quebec GSTSales $64.43", "$64.43", "$3.22", "$0.00", "$3.22"],
      ["Quebec QSTSales $64.43", "$64.43", "$6.43", "$0.00", "$6.43"],
      ["Total for October 2026", "", "$9.65", "$0.00", "$9.65"],
      ["November 2026"],
      ["California Sales taxSales $31.19", "$31.19", "$3.62", "$1.81", "$1.81"],
      ["Total for November 2026", "", "$3.62", "$1.81", "$1.81"],
      ["Total", "", "$13.27", "$1.81", "$11.46"],
    ]);
    expect(screen.getByLabelText<HTMLInputElement>("From").value).toBe("2026-10");
  });

  test("goes to the last month and the last quarter, also over the turn of a year", async () => {
    await open("/admin/taxes");
    const target = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
    expect(target("Last month")).toBe("/admin/taxes?from=2026-10&to=2026-10");
    expect(target("Last quarter")).toBe("/admin/taxes?from=2026-07&to=2026-09");
    expect([lastMonth("2027-01"), lastQuarter("2027-03")]).toEqual([
      { from: "2026-12", to: "2026-12" },
      { from: "2026-10", to: "2026-12" },
    ]);
  });

  test("asks for the months in the address, and says which one is wrong", async () => {
    const fields = { to: "The last month must not be before the first one." };
    const { sent } = await open("/admin/taxes?from=2026-12&to=2026-01", {
      "GET /api/admin/tax-report": errorResponse(400, { code: "InvalidRequest", fields }),
    });
    expect(sent("GET /api/admin/tax-report?from=2026-12&to=2026-01")).toHaveLength(1);
    expect(screen.getByText(fields.to)).toBeTruthy();
    expect(screen.queryByRole("table")).toBeNull();
  });

  test("is exported with the months that it shows", async () => {
    vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:1", revokeObjectURL: () => undefined }));
    const { user, sent } = await open("/admin/taxes", { "GET /api/admin/tax-report.csv": "month\r\n" });
    await user.click(screen.getByRole("button", { name: "Export CSV" }));
    await waitFor(() => expect(sent("GET /api/admin/tax-report.csv?from=2026-10&to=2026-11")).toHaveLength(1));
  });

  test("without orders, or that cannot be had, says so", async () => {
    await open("/admin/taxes", { "GET /api/admin/tax-report": { ...REPORT, rows: [] } });
    expect(screen.getByText("No orders in these months.")).toBeTruthy();
    openShop("/admin/taxes", { "GET /api/admin/tax-report": offline });
    expect(await screen.findByText("Couldn’t load the tax report. Please try again later.")).toBeTruthy();
  });
});
