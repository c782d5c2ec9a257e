-- The embedded test-mode Stripe: what a payment provider would remember, kept apart from the shop's own tables.

-- Keys, the webhook secret and how webhooks are told to misbehave.
CREATE TABLE teststripe_settings (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

-- One row an object. `document` is its JSON as this server keeps it, not as the API shows it. `parent` is the
-- object it belongs to (a charge's intent, a refund's charge); `reference` must be unique where it is given.
-- Raising `version` is how a transaction takes the row before it decides.
CREATE TABLE teststripe_objects (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN
        ('payment_intent', 'charge', 'payment_method', 'refund', 'tax_calculation', 'tax_transaction')),
    parent TEXT,
    reference TEXT UNIQUE,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL DEFAULT 1,
    document TEXT NOT NULL
);
CREATE INDEX teststripe_objects_by_kind ON teststripe_objects (kind, created_at, id);
CREATE INDEX teststripe_objects_by_parent ON teststripe_objects (parent, kind);

-- The first answer to every idempotency key, written in the transaction that did the work.
CREATE TABLE teststripe_answers (
    idempotency_key TEXT NOT NULL PRIMARY KEY,
    endpoint TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    status BIGINT NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX teststripe_answers_by_age ON teststripe_answers (created_at);

CREATE TABLE teststripe_events (
    id TEXT NOT NULL PRIMARY KEY,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

-- Each time an event is to be posted; a doubled event has two rows, a dropped one none.
-- `next_attempt_at` doubles as the lease of whoever is posting it now.
CREATE TABLE teststripe_deliveries (
    id TEXT NOT NULL PRIMARY KEY,
    event_id TEXT NOT NULL REFERENCES teststripe_events (id),
    created_at BIGINT NOT NULL,
    next_attempt_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'given_up'))
);
CREATE INDEX teststripe_deliveries_waiting ON teststripe_deliveries (state, next_attempt_at);

-- Calls that are to go wrong, oldest rule first, each for so many calls.
CREATE TABLE teststripe_faults (
    id TEXT NOT NULL PRIMARY KEY,
    method TEXT NOT NULL,
    path_prefix TEXT NOT NULL,
    action TEXT NOT NULL,
    remaining BIGINT NOT NULL CHECK (remaining >= 0)
);
