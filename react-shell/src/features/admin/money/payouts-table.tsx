import { ShopLink } from "../../../shared/ui/link";
import { Money } from "../../../shared/ui/money";
import { Table, type Column } from "../../../shared/ui/table";
import type { Payout } from "./api";
import { Difference } from "./difference";
import { formatDay } from "../shared/format-day";
import { PAYOUT_PARTS, statusLabel } from "./payout-labels";
import { moneyPaths } from "./paths";

const AMOUNT = "text-right whitespace-nowrap";

const COLUMNS: Column<Payout>[] = [
  {
    title: "Arrives",
    className: "w-full",
    cell: (payout) => (
      <>
        <ShopLink to={moneyPaths.payout(payout.id)} className="text-link whitespace-nowrap">
          {formatDay(payout.arrival_date)}
        </ShopLink>
        <span className="block text-sm font-normal text-muted">{statusLabel(payout.status)}</span>
      </>
    ),
  },
  ...PAYOUT_PARTS.map(({ label, member }) => ({
    title: label,
    className: `${AMOUNT} max-xl:hidden xl:px-2`,
    cell: (payout: Payout) => <Money amount={payout[member]} />,
  })),
  { title: "Amount", className: `${AMOUNT} xl:px-2`, cell: (payout) => <Money amount={payout.amount} /> },
  { title: "Difference", className: `${AMOUNT} xl:px-2`, cell: (payout) => <Difference amount={payout.difference} /> },
];

export function PayoutsTable({ payouts }: { payouts: Payout[] }) {
  return <Table caption="Payouts, newest first" columns={COLUMNS} rows={payouts} rowClassName="hover:bg-line/30" />;
}
