import { states } from "../../../../shared/rules";
import { Money } from "../../../../shared/ui/money";
import { CELL, TABLE } from "../../../../shared/ui/table";
import type { TaxReport, TaxReportRow } from "./api";

/** On phones, this column's amounts are in the first one. */
const WIDE = "max-sm:hidden";

/** The taxes of a report: a group of rows for each month, and the totals. */
export function TaxTable({ report }: { report: TaxReport }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the arrow keys scroll it
    <div className="overflow-x-auto" role="region" aria-label="Taxes" tabIndex={0}>
      <table className={`${TABLE} max-sm:text-sm max-sm:[&_:is(td,th)]:px-1.5`}>
        <caption className="sr-only">
          Taxes from {monthName(report.from)} to {monthName(report.to)}
        </caption>
        <thead className="text-sm text-muted">
          <tr>
            <Heading>State or province</Heading>
            <Heading isAmount isWide>
              Sales
            </Heading>
            <Heading isAmount>Collected</Heading>
            <Heading isAmount>Refunded</Heading>
            <Heading isAmount>Net</Heading>
          </tr>
        </thead>
        {report.months.map((sums) => (
          <Month key={sums.month} sums={sums} rows={report.rows.filter((row) => row.month === sums.month)} />
        ))}
        <tfoot>
          <tr className="font-semibold">
            <th scope="row" className={CELL}>
              Total
            </th>
            <NoAmount />
            <Amount amount={report.collected} />
            <Amount amount={report.refunded} />
            <Amount amount={report.net} />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Heading({ isAmount, isWide, children }: { isAmount?: true; isWide?: true; children: string }) {
  return (
    <th scope="col" className={`px-2 py-3 font-medium sm:px-4 ${isAmount ? "text-right" : ""} ${isWide ? WIDE : ""}`}>
      {children}
    </th>
  );
}

function Month({ sums, rows }: { sums: TaxReport["months"][number]; rows: TaxReportRow[] }) {
  const { month } = sums;
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={5} className={`${CELL} font-semibold`}>
          {monthName(month)}
        </th>
      </tr>
      {rows.map((row) => (
        <tr key={`${row.country}-${row.region}-${row.tax_type}`}>
          <th scope="row" className={`${CELL} font-normal`}>
            {regionName(row)} <span className="block text-sm text-muted">{taxName(row.tax_type)}</span>
            <span className="block text-sm text-muted sm:hidden">
              Sales <Money amount={row.sales} />
            </span>
          </th>
          <Amount amount={row.sales} isWide />
          <Amount amount={row.collected} />
          <Amount amount={row.refunded} />
          <Amount amount={row.net} />
        </tr>
      ))}
      <tr className="font-medium">
        <th scope="row" className={CELL}>
          Total for {monthName(month)}
        </th>
        <NoAmount />
        <Amount amount={sums.collected} />
        <Amount amount={sums.refunded} />
        <Amount amount={sums.net} />
      </tr>
    </tbody>
  );
}

function Amount({ amount, isWide }: { amount: number; isWide?: true }) {
  return (
    <td className={`${CELL} text-right ${isWide ? WIDE : ""}`}>
      <Money amount={amount} />
    </td>
  );
}

/** Rows of several taxes have the same sales, so there is no sum of them. */
function NoAmount() {
  // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- empty on purpose
  return <td className={`${CELL} ${WIDE}`} />;
}

/** "November 2026" for "2026-11". */
function monthName(month: string): string {
  return new Date(`${month}-01T00:00Z`).toLocaleDateString("en-US", {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
}

function regionName({ country, region }: TaxReportRow): string {
  if (country !== "US" && country !== "CA") return `${country} ${region}`;
  return states(country).find(({ code }) => code === region)?.name ?? region;
}

const TAX_NAMES: Record<string, string> = {
  sales_tax: "Sales tax",
  retail_delivery_fee: "Retail delivery fee",
  tax: "Tax",
};

/** The others are abbreviations. */
function taxName(type: string): string {
  return TAX_NAMES[type] ?? type.toUpperCase().replaceAll("_", " ");
}
