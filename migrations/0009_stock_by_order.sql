-- Whether the goods of an order have been put back is looked up by the order.
CREATE INDEX stock_ledger_by_order ON stock_ledger (order_id);
