-- Amounts are whole cents, weights hundredths of a pound, instants milliseconds since the epoch, truth 0 or 1.

-- One row a counter; order numbers come from here, inside the transaction that makes the order.
CREATE TABLE counters (
    name TEXT NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL
);
INSERT INTO counters (name, value) VALUES ('order_number', 1000);

CREATE TABLE products (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL UNIQUE,
    slug TEXT NOT NULL UNIQUE,
    description TEXT NOT NULL,
    price BIGINT NOT NULL CHECK (price > 0),
    weight BIGINT NOT NULL CHECK (weight > 0),
    stock BIGINT NOT NULL CHECK (stock >= 0),
    reserved BIGINT NOT NULL DEFAULT 0 CHECK (reserved >= 0),
    active BIGINT NOT NULL CHECK (active IN (0, 1)),
    version BIGINT NOT NULL DEFAULT 1,
    created_at BIGINT NOT NULL
);

-- Every slug a product ever had: an old link goes on working after a rename.
CREATE TABLE product_slugs (
    slug TEXT NOT NULL PRIMARY KEY,
    product_id TEXT NOT NULL REFERENCES products (id)
);

-- Every change of a stock count, with its cause.
CREATE TABLE stock_ledger (
    id TEXT NOT NULL PRIMARY KEY,
    product_id TEXT NOT NULL REFERENCES products (id),
    change BIGINT NOT NULL,
    cause TEXT NOT NULL CHECK (cause IN ('created', 'edited', 'sold', 'restocked')),
    order_id TEXT,
    who TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX stock_ledger_by_product ON stock_ledger (product_id, at);

-- A checkout is a quote with its stock reserved and, once the provider has answered, a payment intent.
-- open: reserved, may be paid. ordered: an order exists. closed: cancelled or expired, stock given back.
-- returned: was paid, but could not become an order; the payment went back.
CREATE TABLE checkouts (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    user_email TEXT NOT NULL,
    payment_intent_id TEXT UNIQUE,
    client_secret TEXT,
    state TEXT NOT NULL CHECK (state IN ('open', 'ordered', 'closed', 'returned')),
    -- The lines and the address asked for: an unchanged request gets its open intent again.
    fingerprint TEXT NOT NULL,
    address TEXT NOT NULL,
    subtotal BIGINT NOT NULL,
    shipping BIGINT NOT NULL,
    tax BIGINT,
    total BIGINT,
    currency TEXT NOT NULL,
    tax_calculation TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX checkouts_by_state ON checkouts (state, created_at);
CREATE INDEX checkouts_by_user ON checkouts (user_id, state);

-- What was quoted, frozen: a later rename or price change does not reach it.
CREATE TABLE checkout_lines (
    checkout_id TEXT NOT NULL REFERENCES checkouts (id),
    position BIGINT NOT NULL,
    product_id TEXT NOT NULL REFERENCES products (id),
    product_name TEXT NOT NULL,
    quantity BIGINT NOT NULL CHECK (quantity > 0),
    price BIGINT NOT NULL,
    PRIMARY KEY (checkout_id, position)
);
CREATE INDEX checkout_lines_by_product ON checkout_lines (product_id);

CREATE TABLE orders (
    id TEXT NOT NULL PRIMARY KEY,
    number BIGINT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES users (id),
    user_email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    checkout_id TEXT NOT NULL UNIQUE REFERENCES checkouts (id),
    payment_intent_id TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'shipped', 'delivered', 'refunded')),
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    address TEXT NOT NULL,
    billing_address TEXT NOT NULL,
    tracking_number TEXT,
    subtotal BIGINT NOT NULL,
    shipping BIGINT NOT NULL,
    tax BIGINT NOT NULL,
    total BIGINT NOT NULL,
    tax_breakdown TEXT NOT NULL,
    tax_calculation_id TEXT,
    payment_status TEXT NOT NULL CHECK (payment_status IN ('paid', 'partially_refunded', 'refunded', 'disputed')),
    refunded BIGINT NOT NULL DEFAULT 0 CHECK (refunded >= 0 AND refunded <= total),
    -- Why somebody must look at it; null when nobody must.
    attention TEXT,
    version BIGINT NOT NULL DEFAULT 1,
    created_at BIGINT NOT NULL,
    CHECK (total = subtotal + shipping + tax)
);
CREATE INDEX orders_by_time ON orders (created_at, id);
CREATE INDEX orders_by_user ON orders (user_id, created_at);
CREATE INDEX orders_by_status ON orders (status, created_at);
CREATE INDEX orders_by_email ON orders (email_key, created_at);
CREATE INDEX orders_by_name ON orders (name_key, created_at);

CREATE TABLE order_lines (
    order_id TEXT NOT NULL REFERENCES orders (id),
    position BIGINT NOT NULL,
    product_id TEXT NOT NULL REFERENCES products (id),
    product_name TEXT NOT NULL,
    quantity BIGINT NOT NULL CHECK (quantity > 0),
    price BIGINT NOT NULL,
    PRIMARY KEY (order_id, position)
);

CREATE TABLE order_history (
    id TEXT NOT NULL PRIMARY KEY,
    order_id TEXT NOT NULL REFERENCES orders (id),
    at BIGINT NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL
);
CREATE INDEX order_history_by_order ON order_history (order_id, at);

-- A refund is written here before the provider is asked, and settled with the provider's answer.
CREATE TABLE refunds (
    id TEXT NOT NULL PRIMARY KEY,
    order_id TEXT NOT NULL REFERENCES orders (id),
    amount BIGINT NOT NULL CHECK (amount > 0),
    state TEXT NOT NULL CHECK (state IN ('asked', 'done', 'failed')),
    provider_id TEXT UNIQUE,
    at BIGINT NOT NULL
);
CREATE INDEX refunds_by_order ON refunds (order_id, at);

-- Payments that went wrong with no order to show it on.
CREATE TABLE attention (
    id TEXT NOT NULL PRIMARY KEY,
    subject TEXT NOT NULL UNIQUE,
    what TEXT NOT NULL,
    at BIGINT NOT NULL
);

-- The provider's events: stored before they are answered, applied in the transaction that says so.
CREATE TABLE webhook_events (
    id TEXT NOT NULL PRIMARY KEY,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    applied_at BIGINT,
    attempts BIGINT NOT NULL DEFAULT 0,
    next_attempt_at BIGINT NOT NULL
);
CREATE INDEX webhook_events_pending ON webhook_events (applied_at, next_attempt_at);

-- Mail is a row in the transaction it speaks of; a worker renders it once and sends it.
CREATE TABLE outbox (
    id TEXT NOT NULL PRIMARY KEY,
    dedupe_key TEXT NOT NULL UNIQUE,
    recipient TEXT NOT NULL,
    message TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    next_attempt_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    sent_at BIGINT
);
CREATE INDEX outbox_pending ON outbox (sent_at, next_attempt_at);

CREATE TABLE page_views (
    day TEXT NOT NULL,
    path TEXT NOT NULL,
    views BIGINT NOT NULL,
    PRIMARY KEY (day, path)
);

-- Facts about this database that outlive a process.
CREATE TABLE shop_facts (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);
