-- What the payment provider is told of the tax of sales: a row is written with the order or the refund it tells of,
-- and worked off afterwards. A sale goes by the id of its order, a refund by that and the sum then refunded.
CREATE TABLE tax_records (
    reference TEXT NOT NULL PRIMARY KEY,
    order_id TEXT NOT NULL REFERENCES orders (id),
    -- What was refunded, tax included; null for the sale itself.
    reversed BIGINT CHECK (reversed > 0),
    state TEXT NOT NULL CHECK (state IN ('waiting', 'done', 'given_up')),
    provider_id TEXT UNIQUE,
    attempts BIGINT NOT NULL DEFAULT 0,
    next_attempt_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX tax_records_waiting ON tax_records (state, next_attempt_at);
CREATE INDEX tax_records_by_order ON tax_records (order_id);

-- Where the test-mode Stripe posts its events besides the shop it belongs to.
CREATE TABLE teststripe_endpoints (
    id TEXT NOT NULL PRIMARY KEY,
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    enabled_events TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
-- Null: to the shop itself.
ALTER TABLE teststripe_deliveries ADD COLUMN endpoint_id TEXT;
