-- Keys, the webhook secret and the fault injection of webhooks.
CREATE TABLE mock_stripe_settings (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

-- One row per object. `document` is its JSON as stored, not as the API shows it. `parent` is the object it belongs to
-- (a charge's intent, a refund's charge, a balance transaction's payout); `reference` is unique where present.
CREATE TABLE mock_stripe_objects (
    id         TEXT   NOT NULL PRIMARY KEY,
    kind       TEXT   NOT NULL,
    parent     TEXT,
    reference  TEXT   UNIQUE,
    created_at BIGINT NOT NULL,
    version    BIGINT NOT NULL DEFAULT 1,
    document   TEXT   NOT NULL
);
CREATE INDEX mock_stripe_objects_by_kind ON mock_stripe_objects (kind, created_at, id);
CREATE INDEX mock_stripe_objects_by_parent ON mock_stripe_objects (parent, kind);

-- Objects that change later by themselves: refunds that a bank decides later.
CREATE TABLE mock_stripe_scheduled (
    object_id TEXT   NOT NULL PRIMARY KEY,
    due_at    BIGINT NOT NULL
);
CREATE INDEX mock_stripe_scheduled_by_time ON mock_stripe_scheduled (due_at);

-- The first response per idempotency key, written in the transaction that did the work.
CREATE TABLE mock_stripe_responses (
    idempotency_key TEXT   NOT NULL PRIMARY KEY,
    endpoint        TEXT   NOT NULL,
    fingerprint     TEXT   NOT NULL,
    status          BIGINT NOT NULL,
    body            TEXT   NOT NULL,
    created_at      BIGINT NOT NULL
);
CREATE INDEX mock_stripe_responses_by_age ON mock_stripe_responses (created_at);

CREATE TABLE mock_stripe_events (
    id         TEXT   NOT NULL PRIMARY KEY,
    type       TEXT   NOT NULL,
    body       TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

-- Webhook endpoints besides the shop itself.
CREATE TABLE mock_stripe_endpoints (
    id             TEXT   NOT NULL PRIMARY KEY,
    url            TEXT   NOT NULL,
    secret         TEXT   NOT NULL,
    enabled_events TEXT   NOT NULL,
    created_at     BIGINT NOT NULL
);

-- Webhook deliveries: a duplicated event has two rows, a dropped one none. `next_attempt_at` is also the lease of the
-- process that sends it. Without an `endpoint_id` the shop itself is the receiver.
CREATE TABLE mock_stripe_deliveries (
    id              TEXT   NOT NULL PRIMARY KEY,
    event_id        TEXT   NOT NULL REFERENCES mock_stripe_events (id),
    endpoint_id     TEXT,
    created_at      BIGINT NOT NULL,
    next_attempt_at BIGINT NOT NULL,
    attempts        BIGINT NOT NULL DEFAULT 0,
    state           TEXT   NOT NULL CHECK (state IN ('pending', 'delivered', 'failed'))
);
CREATE INDEX mock_stripe_deliveries_pending ON mock_stripe_deliveries (state, next_attempt_at);

-- Injected faults, oldest first, each for a number of requests.
CREATE TABLE mock_stripe_faults (
    id          TEXT   NOT NULL PRIMARY KEY,
    method      TEXT   NOT NULL,
    path_prefix TEXT   NOT NULL,
    action      TEXT   NOT NULL,
    remaining   BIGINT NOT NULL CHECK (remaining >= 0)
);
