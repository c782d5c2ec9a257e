-- Why a checkout was closed; null for one that is not, or that a version before this one closed.
ALTER TABLE checkouts ADD COLUMN closed_reason TEXT
    CHECK (closed_reason IN ('replaced', 'not_prepared', 'expired', 'canceled', 'unknown_intent', 'released'));

-- A payment's disputes, as the payment provider last described them; the id is the provider's.
CREATE TABLE disputes (
    id TEXT NOT NULL PRIMARY KEY,
    order_id TEXT NOT NULL REFERENCES orders (id),
    status TEXT NOT NULL CHECK (status IN ('none', 'warning', 'open', 'won', 'lost')),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX disputes_by_order ON disputes (order_id);

-- What an order's disputes come to. An order that was disputed before disputes had rows is taken for an open one
-- until the provider is asked.
ALTER TABLE orders ADD COLUMN dispute TEXT NOT NULL DEFAULT 'none'
    CHECK (dispute IN ('none', 'warning', 'open', 'won', 'lost'));
UPDATE orders SET dispute = 'open' WHERE payment_status = 'disputed';
CREATE INDEX orders_with_pending_dispute ON orders (created_at, id) WHERE dispute IN ('warning', 'open');

-- The overview subtracts fully refunded orders from the orders of a day. They are few, so this index is small.
CREATE INDEX orders_fully_refunded ON orders (created_at) WHERE refunded = total;
