-- What administrators read of all orders at once stays quick when there are a million of them.
-- `COLLATE BINARY` is the one word that PostgreSQL spells otherwise; `server/src/db.rs` puts its own in the place.

-- Pages of orders, newest first. The amounts make the sums of a day readable from the index alone.
DROP INDEX orders_by_time;
CREATE INDEX orders_by_time ON orders (created_at, id, total, refunded);
DROP INDEX orders_by_user;
CREATE INDEX orders_by_user ON orders (user_id, created_at, id);
DROP INDEX orders_by_status;
CREATE INDEX orders_by_status ON orders (status, created_at, id);

-- What begins with a text is a range, if texts are compared byte by byte.
DROP INDEX orders_by_email;
CREATE INDEX orders_by_email ON orders (email_key COLLATE BINARY, created_at, id);
DROP INDEX orders_by_name;
CREATE INDEX orders_by_name ON orders (name_key COLLATE BINARY, created_at, id);

CREATE INDEX orders_needing_attention ON orders (created_at, id) WHERE attention IS NOT NULL;

-- How many of each product left the shelf lately.
CREATE INDEX stock_ledger_by_cause ON stock_ledger (cause, at, product_id, change);

-- When somebody dealt with it, and who; null until then.
ALTER TABLE attention ADD COLUMN settled_at BIGINT;
ALTER TABLE attention ADD COLUMN settled_by TEXT;
