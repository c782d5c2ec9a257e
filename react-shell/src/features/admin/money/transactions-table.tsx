import { formatDate } from "../../../shared/rules";
import { ShopLink } from "../../../shared/ui/link";
import { Money } from "../../../shared/ui/money";
import { Table, type Column } from "../../../shared/ui/table";
import type { BalanceTransaction } from "./api";
import { transactionLabel } from "./payout-labels";
import { adminPaths } from "../shared/paths";

const AMOUNT = "text-right whitespace-nowrap";

const COLUMNS: Column<BalanceTransaction>[] = [
  {
    title: "Transaction",
    className: "w-full max-w-0",
    cell: (transaction) => <Description transaction={transaction} />,
  },
  { title: "Amount", className: `${AMOUNT} max-sm:hidden`, cell: ({ amount }) => <Money amount={amount} /> },
  { title: "Fee", className: `${AMOUNT} max-sm:hidden`, cell: ({ fee }) => <Money amount={fee} /> },
  { title: "Net", className: AMOUNT, cell: ({ net }) => <Money amount={net} /> },
];

function Description({ transaction }: { transaction: BalanceTransaction }) {
  const { created_at_local: createdAtLocal, id, order_id: orderId, order_number: orderNumber, problem } = transaction;
  return (
    <>
      <span className="block">
        {transactionLabel(transaction)}
        {orderId !== undefined && (
          <ShopLink to={adminPaths.order(orderId)} className="text-link ml-2 whitespace-nowrap">
            Order {orderNumber}
          </ShopLink>
        )}
      </span>
      <span className="block truncate text-sm font-normal text-muted">
        {formatDate(createdAtLocal)} · {id}
      </span>
      {problem !== undefined && <span className="block text-sm break-words text-bad">{problem}</span>}
    </>
  );
}

interface Props {
  caption: string;
  transactions: BalanceTransaction[];
}

export function TransactionsTable({ caption, transactions }: Props) {
  return <Table caption={caption} columns={COLUMNS} rows={transactions} />;
}
