-- The shop's schema, one text for SQLite and PostgreSQL.
--
-- Amounts are whole cents, weights hundredths of a pound, times milliseconds since 1970-01-01T00:00:00Z, booleans 0 or 1.
-- `COLLATE BINARY` becomes `COLLATE "C"` on PostgreSQL (`server/src/db/`): byte order makes a prefix search a range of
-- an index. `BLOB` columns become `BYTEA` there. `WITHOUT ROWID`, which keeps SQLite from storing rows twice, is left out.
-- A line that begins with `-- PostgreSQL only: ` is a statement there.

-- Accounts

CREATE TABLE users (
    id            TEXT   NOT NULL PRIMARY KEY,
    -- As entered, and in lower case for comparison.
    email         TEXT   NOT NULL,
    email_key     TEXT   NOT NULL UNIQUE,
    -- argon2id in PHC format.
    password_hash TEXT   NOT NULL,
    is_admin      BIGINT NOT NULL DEFAULT 0 CHECK (is_admin IN (0, 1)),
    -- Encrypted with a key that is derived from the signing key.
    totp_secret   TEXT,
    -- The TOTP time step that was used last: neither it nor an older one is accepted again.
    totp_step     BIGINT,
    created_at    BIGINT NOT NULL,
    confirmed_at  BIGINT,
    last_login_at BIGINT
);
CREATE INDEX users_by_age ON users (created_at, id);

-- The folded words of email addresses: what an account is found by.
CREATE TABLE user_words (
    word    TEXT COLLATE BINARY NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id),
    PRIMARY KEY (word, user_id)
) WITHOUT ROWID;
-- For re-encrypting TOTP secrets after a key rotation; few users have one.
CREATE INDEX users_by_totp ON users (totp_secret);

-- Sign-ups that wait for their email code. Each has its own password, and the code that is entered decides which sign-up
-- becomes the account. An address has at most three, one per slot.
CREATE TABLE signups (
    id            TEXT   NOT NULL UNIQUE,
    email         TEXT   NOT NULL,
    email_key     TEXT   NOT NULL,
    slot          BIGINT NOT NULL CHECK (slot IN (0, 1, 2)),
    password_hash TEXT   NOT NULL,
    -- Keyed hash of the client's network; empty if unknown.
    client        TEXT   NOT NULL,
    code_hash     TEXT   NOT NULL,
    attempts_left BIGINT NOT NULL CHECK (attempts_left >= 0),
    expires_at    BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    PRIMARY KEY (email_key, slot)
);
CREATE INDEX signups_by_age ON signups (created_at);

-- One active code per account and purpose: a new code replaces the old one.
CREATE TABLE codes (
    user_id       TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    purpose       TEXT   NOT NULL CHECK (purpose IN ('reset-password')),
    code_hash     TEXT   NOT NULL,
    attempts_left BIGINT NOT NULL CHECK (attempts_left >= 0),
    expires_at    BIGINT NOT NULL,
    PRIMARY KEY (user_id, purpose)
);
CREATE INDEX codes_by_expiry ON codes (expires_at);

CREATE TABLE sessions (
    id           TEXT   NOT NULL PRIMARY KEY,
    user_id      TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    device       TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    ended_at     BIGINT
);
CREATE INDEX sessions_by_user ON sessions (user_id, last_used_at);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
CREATE INDEX sessions_by_end ON sessions (ended_at);

-- Every refresh token of a session, by the SHA-256 of its text. Spent tokens stay as long as their session: the reuse
-- of one is how a theft is detected.
CREATE TABLE refresh_tokens (
    token_hash TEXT   NOT NULL PRIMARY KEY,
    session_id TEXT   NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    spent_at   BIGINT
);
CREATE INDEX refresh_tokens_by_session ON refresh_tokens (session_id);

-- Public keys of the access tokens. The primary key lets exactly one process register the first key.
CREATE TABLE signing_keys (
    position   BIGINT NOT NULL PRIMARY KEY,
    kid        TEXT   NOT NULL UNIQUE,
    public_key TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

-- `bucket` is the rule's name and a hash of its subject.
CREATE TABLE rate_limits (
    bucket       TEXT   NOT NULL PRIMARY KEY,
    used         BIGINT NOT NULL CHECK (used >= 0),
    window_start BIGINT NOT NULL,
    locked_until BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL
);
CREATE INDEX rate_limits_by_expiry ON rate_limits (expires_at);

-- Accepted bot check challenges, kept until they expire so that none is used twice.
CREATE TABLE used_bot_challenges (
    challenge  TEXT   NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX used_bot_challenges_by_expiry ON used_bot_challenges (expires_at);

-- Products

CREATE TABLE products (
    id          TEXT   NOT NULL PRIMARY KEY,
    name        TEXT   NOT NULL,
    name_key    TEXT   NOT NULL UNIQUE,
    slug        TEXT   NOT NULL UNIQUE,
    description TEXT   NOT NULL,
    price       BIGINT NOT NULL CHECK (price > 0),
    weight      BIGINT NOT NULL CHECK (weight > 0),
    stock       BIGINT NOT NULL CHECK (stock >= 0),
    reserved    BIGINT NOT NULL DEFAULT 0 CHECK (reserved >= 0),
    active      BIGINT NOT NULL CHECK (active IN (0, 1)),
    version     BIGINT NOT NULL DEFAULT 1,
    created_at  BIGINT NOT NULL,
    -- Time of the last edit; a sale is none.
    updated_at  BIGINT NOT NULL,
    -- Facts with a default, then optional ones: NULL or empty where unknown.
    form            TEXT NOT NULL DEFAULT 'stick',
    lamp_color      TEXT NOT NULL DEFAULT 'amber',
    -- 'photo' or 'drawing'
    card_picture    TEXT NOT NULL DEFAULT 'photo',
    length_mm       BIGINT,
    width_mm        BIGINT,
    height_mm       BIGINT,
    plug            TEXT,
    cable_length_mm BIGINT,
    power_mw        BIGINT,
    brightness_lm   BIGINT,
    -- Days for which the clock is right to the minute without Wi-Fi.
    timekeeping_days BIGINT,
    led_color       TEXT,
    -- One item per line.
    in_the_box      TEXT NOT NULL DEFAULT '',
    warranty_months BIGINT,
    sku             TEXT,
    gtin            TEXT,
    origin_country  TEXT,
    hs_code         TEXT,
    -- Sends the low-stock email when available units fall to this number; null: the limit of the Low Stock badge.
    low_stock_threshold   BIGINT CHECK (low_stock_threshold >= 0),
    -- When the low-stock email was sent; null again once more units are available.
    low_stock_notified_at BIGINT,
    CHECK ((length_mm IS NULL) = (width_mm IS NULL) AND (length_mm IS NULL) = (height_mm IS NULL))
);

-- Every slug a product ever had: links keep working after a rename.
CREATE TABLE product_slugs (
    slug       TEXT NOT NULL PRIMARY KEY,
    product_id TEXT NOT NULL REFERENCES products (id)
);

-- Photographs, as they are served. The id is derived from the uploaded file, so equal files are one photo. One that no
-- product uses is deleted a day after its last use.
CREATE TABLE photos (
    id           TEXT   NOT NULL PRIMARY KEY,
    -- Original size, upright.
    width        BIGINT NOT NULL CHECK (width > 0),
    height       BIGINT NOT NULL CHECK (height > 0),
    -- Average color, `#rrggbb`.
    color        TEXT   NOT NULL,
    last_used_at BIGINT NOT NULL
);
CREATE INDEX photos_by_last_use ON photos (last_used_at);

CREATE TABLE photo_variants (
    photo_id TEXT   NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    width    BIGINT NOT NULL,
    format   TEXT   NOT NULL CHECK (format IN ('webp', 'jpg')),
    -- At most 1 MB.
    bytes    BLOB   NOT NULL,
    PRIMARY KEY (photo_id, width, format)
);

-- The photos of a product, in their order: what makes a photo visible.
CREATE TABLE product_photos (
    product_id TEXT   NOT NULL REFERENCES products (id),
    position   BIGINT NOT NULL,
    photo_id   TEXT   NOT NULL REFERENCES photos (id),
    alt        TEXT   NOT NULL,
    PRIMARY KEY (product_id, position),
    UNIQUE (photo_id, product_id)
);

-- Every change of a product's stock, with its reason. `note` is an administrator's: about received items, or the reason
-- of a correction.
CREATE TABLE stock_ledger (
    id         TEXT   NOT NULL PRIMARY KEY,
    product_id TEXT   NOT NULL REFERENCES products (id),
    change     BIGINT NOT NULL,
    reason     TEXT   NOT NULL CHECK (reason IN ('created', 'edited', 'sold', 'restocked', 'received', 'corrected')),
    order_id   TEXT,
    actor      TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    note       TEXT
);
CREATE INDEX stock_ledger_by_product ON stock_ledger (product_id, created_at, id);
CREATE INDEX stock_ledger_by_order ON stock_ledger (order_id);

-- Requests for an email when a product is back in stock. An address is deleted once its email is sent.
CREATE TABLE back_in_stock_requests (
    id           TEXT   NOT NULL PRIMARY KEY,
    product_id   TEXT   NOT NULL REFERENCES products (id),
    email        TEXT   NOT NULL,
    email_key    TEXT   NOT NULL,
    -- Hash of the token in the link that confirms the address.
    token_hash   TEXT   NOT NULL UNIQUE,
    confirmed_at BIGINT,
    -- When the last link was requested. The place in the queue is `created_at`.
    requested_at BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    UNIQUE (product_id, email_key)
);
CREATE INDEX back_in_stock_requests_by_confirmation ON back_in_stock_requests (confirmed_at, requested_at);
CREATE INDEX back_in_stock_requests_by_age ON back_in_stock_requests (created_at);

-- Emails sent about a product since it was last sold out.
CREATE TABLE back_in_stock_rounds (
    product_id TEXT   NOT NULL PRIMARY KEY REFERENCES products (id),
    notified   BIGINT NOT NULL
);

-- Checkouts and orders

-- A checkout is a quote with its stock reserved and, once the payment provider has responded, a payment intent.
--   open          reserved, may be paid
--   ordered       an order exists
--   closed        ended without an order for the reason in `closed_reason`, stock released
--   refunded      paid, but could not become an order: the payment was refunded automatically
--   charged_back  like refunded, but the customer's bank had charged the payment back: there was nothing to refund
CREATE TABLE checkouts (
    id                TEXT   NOT NULL PRIMARY KEY,
    user_id           TEXT   NOT NULL REFERENCES users (id),
    user_email        TEXT   NOT NULL,
    payment_intent_id TEXT   UNIQUE,
    client_secret     TEXT,
    state             TEXT   NOT NULL CHECK (state IN ('open', 'ordered', 'closed', 'refunded', 'charged_back')),
    closed_reason     TEXT
        CHECK (closed_reason IN ('replaced', 'not_prepared', 'expired', 'canceled', 'unknown_intent', 'released')),
    -- Hash of lines and address: an unchanged request gets its open intent again.
    fingerprint       TEXT   NOT NULL,
    address           TEXT   NOT NULL,
    subtotal          BIGINT NOT NULL,
    shipping          BIGINT NOT NULL,
    tax               BIGINT,
    total             BIGINT,
    currency          TEXT   NOT NULL,
    tax_calculation   TEXT,
    created_at        BIGINT NOT NULL,
    expires_at        BIGINT NOT NULL,
    -- When the first checkout of a chain of replacements was created, and since when the account has held some of the
    -- same items without a pause.
    chain_began_at    BIGINT NOT NULL DEFAULT 0,
    held_since        BIGINT NOT NULL DEFAULT 0,
    -- When the checkout was closed without an order.
    closed_at         BIGINT,
    -- When the checkout was made again from its payment, because the database had lost it.
    recovered_at      BIGINT
);
CREATE INDEX checkouts_by_state ON checkouts (state, created_at);
CREATE INDEX checkouts_by_user ON checkouts (user_id, state);
CREATE INDEX checkouts_closed_by_user ON checkouts (user_id, closed_at) WHERE state = 'closed';
-- Retention: the statement that deletes addresses has the same condition.
CREATE INDEX checkouts_with_address ON checkouts (expires_at)
    WHERE state IN ('closed', 'refunded', 'charged_back') AND address <> '{}';

-- The quoted lines, frozen: a later rename or price change does not affect them.
CREATE TABLE checkout_lines (
    checkout_id  TEXT   NOT NULL REFERENCES checkouts (id),
    position     BIGINT NOT NULL,
    product_id   TEXT   NOT NULL REFERENCES products (id),
    product_name TEXT   NOT NULL,
    quantity     BIGINT NOT NULL CHECK (quantity > 0),
    price        BIGINT NOT NULL,
    PRIMARY KEY (checkout_id, position)
);
CREATE INDEX checkout_lines_by_product ON checkout_lines (product_id);

-- One row per counter.
CREATE TABLE counters (
    name  TEXT   NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL
);
-- Versions of the settings come from here; its row is the lock of a change.
INSERT INTO counters (name, value) VALUES ('settings_version', 0);

-- Order numbers begin at 1001 and may have gaps. SQLite, which has one writer, takes the number after the greatest.
-- PostgreSQL only: CREATE SEQUENCE order_numbers START WITH 1001;

CREATE TABLE orders (
    id                 TEXT   NOT NULL PRIMARY KEY,
    number             BIGINT NOT NULL UNIQUE,
    user_id            TEXT   NOT NULL REFERENCES users (id),
    user_email         TEXT   NOT NULL,
    checkout_id        TEXT   NOT NULL UNIQUE REFERENCES checkouts (id),
    payment_intent_id  TEXT   NOT NULL UNIQUE,
    status             TEXT   NOT NULL CHECK (status IN ('pending', 'processing', 'shipped', 'delivered', 'refunded')),
    name               TEXT   NOT NULL,
    address            TEXT   NOT NULL,
    -- The country of the address, for filters.
    country            TEXT   NOT NULL,
    billing_address    TEXT   NOT NULL,
    tracking_number    TEXT,
    subtotal           BIGINT NOT NULL,
    shipping           BIGINT NOT NULL,
    tax                BIGINT NOT NULL,
    total              BIGINT NOT NULL,
    tax_breakdown      TEXT   NOT NULL,
    -- ISO 3166-2 code of the state or province for which the tax was computed: an edit of the address does not change it.
    tax_region         TEXT   NOT NULL,
    tax_calculation_id TEXT,
    payment_status     TEXT   NOT NULL
        CHECK (payment_status IN ('paid', 'partially_refunded', 'refunded', 'disputed')),
    refunded           BIGINT NOT NULL DEFAULT 0 CHECK (refunded >= 0 AND refunded <= total),
    -- The status of all disputes of the payment together.
    dispute            TEXT   NOT NULL DEFAULT 'none' CHECK (dispute IN ('none', 'warning', 'open', 'won', 'lost')),
    -- Why the order is on hold, derived from those disputes and early fraud warnings that are not released. It applies
    -- until the order is shipped.
    hold               TEXT   CHECK (hold IN ('dispute', 'lost_dispute', 'inquiry', 'fraud_warning')),
    -- Both or neither: the payment provider may not report the card.
    card_brand         TEXT,
    card_last4         TEXT,
    version            BIGINT NOT NULL DEFAULT 1,
    created_at         BIGINT NOT NULL,
    CHECK (total = subtotal + shipping + tax)
);
CREATE INDEX orders_by_time ON orders (created_at, id);
CREATE INDEX orders_by_user ON orders (user_id, created_at, id);
-- Covering for both filters: a planner prefers it to the next one.
CREATE INDEX orders_by_status ON orders (status, created_at, id, country);
CREATE INDEX orders_by_country ON orders (country, created_at, id);
-- Paid is the rule; the other payment statuses are few. Covering for all filters.
CREATE INDEX orders_by_payment ON orders (payment_status, created_at, id, status, country)
    WHERE payment_status <> 'paid';
-- Covering for the filters of a product's orders, each of which is looked up by its id.
CREATE INDEX orders_by_id ON orders (id, created_at, payment_status, country, status);
CREATE INDEX orders_with_pending_dispute ON orders (created_at, id) WHERE dispute IN ('warning', 'open');
-- The orders on hold: few of those to ship.
CREATE INDEX orders_on_hold ON orders (status, id) WHERE hold IS NOT NULL AND status IN ('pending', 'processing');
-- The overview subtracts fully refunded orders from the orders of a day. They are few, so this index is small.
CREATE INDEX orders_fully_refunded ON orders (created_at) WHERE refunded = total;

CREATE TABLE order_lines (
    order_id     TEXT   NOT NULL REFERENCES orders (id),
    position     BIGINT NOT NULL,
    product_id   TEXT   NOT NULL REFERENCES products (id),
    product_name TEXT   NOT NULL,
    quantity     BIGINT NOT NULL CHECK (quantity > 0),
    price        BIGINT NOT NULL,
    PRIMARY KEY (order_id, position)
);
-- Orders of a product: order ids sort by time.
CREATE INDEX order_lines_by_product ON order_lines (product_id, order_id);

-- What an order is found by: the folded words of its recipient's name and its email address, its postal code and its
-- tracking number. The words of its products are those of the catalog.
CREATE TABLE order_words (
    word       TEXT COLLATE BINARY NOT NULL,
    created_at BIGINT NOT NULL,
    order_id   TEXT   NOT NULL REFERENCES orders (id),
    PRIMARY KEY (word, created_at, order_id)
) WITHOUT ROWID;

CREATE TABLE order_history (
    id         TEXT   NOT NULL PRIMARY KEY,
    order_id   TEXT   NOT NULL REFERENCES orders (id),
    created_at BIGINT NOT NULL,
    actor      TEXT   NOT NULL,
    -- What happened: the word and the JSON of a `HistoryEvent` (`server/src/orders/history/`). Customers don't see it.
    kind       TEXT   NOT NULL,
    data       TEXT   NOT NULL
);
CREATE INDEX order_history_by_order ON order_history (order_id, created_at);

-- Totals per day, updated with every order: no page counts a million rows. A day is the number of whole days since
-- 1970-01-01 in the time zone in force (`shop_metadata`). A change of the zone recounts them in one transaction.

-- Orders per day and status, and their totals less refunds.
CREATE TABLE daily_order_totals (
    day    BIGINT NOT NULL,
    status TEXT   NOT NULL,
    orders BIGINT NOT NULL CHECK (orders >= 0),
    sales  BIGINT NOT NULL,
    PRIMARY KEY (day, status)
);

-- Units of a product sold on a day, less those that were restocked.
CREATE TABLE daily_product_totals (
    day        BIGINT NOT NULL,
    product_id TEXT   NOT NULL REFERENCES products (id),
    sold       BIGINT NOT NULL,
    PRIMARY KEY (day, product_id)
);

-- Payments

-- A refund is inserted before the provider is called, and completed with the provider's response. One that was made at
-- the provider is inserted when the shop learns of it, one that was paid another way when an administrator records it.
--   pending   the provider may have made it or not
--   done      counts in `orders.refunded`
--   not_made  the provider never made it
--   failed    the customer's bank returned it later: it doesn't count
CREATE TABLE refunds (
    id            TEXT   NOT NULL PRIMARY KEY,
    order_id      TEXT   NOT NULL REFERENCES orders (id),
    amount        BIGINT NOT NULL CHECK (amount > 0),
    -- The parts of the amount. The breakdown has the taxes of the order.
    subtotal      BIGINT NOT NULL CHECK (subtotal >= 0),
    shipping      BIGINT NOT NULL CHECK (shipping >= 0),
    tax           BIGINT NOT NULL CHECK (tax >= 0),
    tax_breakdown TEXT   NOT NULL,
    -- Whether its lines are to be restocked.
    restock       BIGINT NOT NULL CHECK (restock IN (0, 1)),
    actor         TEXT   NOT NULL,
    state         TEXT   NOT NULL CHECK (state IN ('pending', 'done', 'not_made', 'failed')),
    provider_id   TEXT   UNIQUE,
    created_at    BIGINT NOT NULL,
    failed_at     BIGINT,
    -- The provider's word, such as 'expired_or_canceled_card'.
    failure_reason TEXT,
    -- The refund that settles a failed one.
    replaced_by   TEXT,
    -- The day of a refund that was paid outside the provider, in days since 1970-01-01.
    paid_on       BIGINT,
    note          TEXT,
    CHECK (amount = subtotal + shipping + tax),
    CHECK ((state = 'failed') = (failed_at IS NOT NULL)),
    CHECK (replaced_by IS NULL OR state = 'failed'),
    CHECK (paid_on IS NULL OR provider_id IS NULL)
);
CREATE INDEX refunds_by_order ON refunds (order_id, created_at);
-- One refund of an order at a time.
CREATE UNIQUE INDEX refunds_pending ON refunds (order_id) WHERE state = 'pending';
-- A failed refund counts in the tax report twice: when it was made, and with the opposite sign when it failed.
CREATE INDEX refunds_by_time ON refunds (created_at) WHERE state IN ('done', 'failed');
CREATE INDEX refunds_by_failure ON refunds (failed_at) WHERE state = 'failed';
CREATE INDEX refunds_by_replacement ON refunds (replaced_by) WHERE replaced_by IS NOT NULL;

-- The items that a refund returned the price of; none if it was made by amount.
CREATE TABLE refund_lines (
    refund_id  TEXT   NOT NULL REFERENCES refunds (id),
    product_id TEXT   NOT NULL REFERENCES products (id),
    quantity   BIGINT NOT NULL CHECK (quantity > 0),
    PRIMARY KEY (refund_id, product_id)
);

-- A payment's disputes, as the provider last described them. The id is the provider's.
CREATE TABLE disputes (
    id             TEXT   NOT NULL PRIMARY KEY,
    order_id       TEXT   NOT NULL REFERENCES orders (id),
    status         TEXT   NOT NULL CHECK (status IN ('none', 'warning', 'open', 'won', 'lost')),
    -- Whether the bank waits for evidence, and until when it accepts some.
    needs_response BIGINT NOT NULL DEFAULT 0 CHECK (needs_response IN (0, 1)),
    due_at         BIGINT,
    -- The provider's word, such as 'fraudulent'.
    reason         TEXT,
    amount         BIGINT,
    -- Sums of what the bank withdrew and returned, without fees.
    withdrawn      BIGINT NOT NULL DEFAULT 0 CHECK (withdrawn >= 0),
    reinstated     BIGINT NOT NULL DEFAULT 0 CHECK (reinstated >= 0),
    -- Whether an administrator ships the order despite the dispute in its present status.
    released       BIGINT NOT NULL DEFAULT 0 CHECK (released IN (0, 1)),
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL
);
CREATE INDEX disputes_by_order ON disputes (order_id);
CREATE INDEX disputes_open ON disputes (due_at) WHERE status IN ('warning', 'open');
CREATE INDEX disputes_due ON disputes (due_at) WHERE needs_response = 1;
CREATE INDEX disputes_unreinstated ON disputes (updated_at) WHERE status = 'won' AND reinstated < withdrawn;

-- Reports of card issuers that a payment may be fraudulent. The id is the provider's.
CREATE TABLE early_fraud_warnings (
    id         TEXT   NOT NULL PRIMARY KEY,
    order_id   TEXT   NOT NULL REFERENCES orders (id),
    -- The provider's word, such as 'made_with_stolen_card'.
    fraud_type TEXT   NOT NULL,
    -- Whether the payment is neither disputed nor refunded in full.
    actionable BIGINT NOT NULL CHECK (actionable IN (0, 1)),
    -- Whether an administrator ships the order despite the warning.
    released   BIGINT NOT NULL DEFAULT 0 CHECK (released IN (0, 1)),
    created_at BIGINT NOT NULL
);
CREATE INDEX early_fraud_warnings_by_order ON early_fraud_warnings (order_id);

-- Tax transactions to be recorded at the provider. A row is inserted with the order or the refund it belongs to and
-- processed afterwards. The reference is the order's id, the refund's id, or that id with ':failed'.
CREATE TABLE tax_records (
    reference       TEXT   NOT NULL PRIMARY KEY,
    order_id        TEXT   NOT NULL REFERENCES orders (id),
    -- The record that this one reverses; null for the sale itself.
    original        TEXT,
    -- The refunded amount including tax, negative for a refund that failed; null for the sale itself.
    reversed        BIGINT CHECK (reversed <> 0),
    state           TEXT   NOT NULL CHECK (state IN ('pending', 'done', 'failed')),
    provider_id     TEXT   UNIQUE,
    attempts        BIGINT NOT NULL DEFAULT 0,
    next_attempt_at BIGINT NOT NULL,
    created_at      BIGINT NOT NULL
);
CREATE INDEX tax_records_pending ON tax_records (state, next_attempt_at);
CREATE INDEX tax_records_by_order ON tax_records (order_id);

-- Payouts to the shop's bank account, as the provider last described them. The id is the provider's.
CREATE TABLE payouts (
    id         TEXT   NOT NULL PRIMARY KEY,
    amount     BIGINT NOT NULL,
    -- The provider's word, such as 'paid'.
    status     TEXT   NOT NULL,
    arrival_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    -- Whether all of its balance transactions are stored.
    complete   BIGINT NOT NULL DEFAULT 0 CHECK (complete IN (0, 1))
);
CREATE INDEX payouts_by_time ON payouts (created_at, id);

-- Movements of money on the shop's balance at the provider. The id is the provider's; amounts are negative for
-- withdrawals. Only the payout, the payment and the problem change later.
CREATE TABLE balance_transactions (
    id                TEXT   NOT NULL PRIMARY KEY,
    -- The provider's word, such as 'charge'.
    type              TEXT   NOT NULL,
    category          TEXT   NOT NULL
        CHECK (category IN ('payment', 'refund', 'dispute', 'fee', 'adjustment', 'payout', 'unknown')),
    -- Id of the charge, refund, dispute or payout.
    source            TEXT,
    payment_intent_id TEXT,
    payout_id         TEXT,
    amount            BIGINT NOT NULL,
    fee               BIGINT NOT NULL,
    net               BIGINT NOT NULL,
    description       TEXT,
    created_at        BIGINT NOT NULL,
    -- Why it cannot be explained by the shop's records; null if it can.
    problem           TEXT
);
CREATE INDEX balance_transactions_by_time ON balance_transactions (created_at, id);
CREATE INDEX balance_transactions_by_payment ON balance_transactions (payment_intent_id, category);
CREATE INDEX balance_transactions_by_payout ON balance_transactions (payout_id, category);
-- The transaction of a payout, for the journal.
CREATE INDEX balance_transactions_of_payouts ON balance_transactions (source) WHERE category = 'payout';
CREATE INDEX balance_transactions_unexplained ON balance_transactions (created_at, id) WHERE problem IS NOT NULL;

-- Alerts about orders, and about payments that have no order.
CREATE TABLE alerts (
    id                TEXT   NOT NULL PRIMARY KEY,
    -- The cause: the word and the JSON of an `Alert` (`server/src/orders/alerts/`).
    kind              TEXT   NOT NULL,
    data              TEXT   NOT NULL,
    -- The kind and the id of the cause.
    dedupe_key        TEXT   NOT NULL,
    order_id          TEXT   REFERENCES orders (id),
    payment_intent_id TEXT,
    created_at        BIGINT NOT NULL,
    resolved_at       BIGINT,
    resolved_by       TEXT,
    CHECK ((order_id IS NULL) <> (payment_intent_id IS NULL)),
    CHECK ((resolved_at IS NULL) = (resolved_by IS NULL))
);
-- One open alert for each cause.
CREATE UNIQUE INDEX alerts_open ON alerts (dedupe_key) WHERE resolved_at IS NULL;
-- The open alerts of an order, and the filter of orders with open alerts: few alerts are open, so the filter is a scan of
-- this small index, and orders need no column that repeats their number.
CREATE INDEX alerts_open_by_order ON alerts (order_id) WHERE resolved_at IS NULL;

-- The provider's events: stored before the response, applied in the transaction that marks them as applied.
CREATE TABLE webhook_events (
    id              TEXT   NOT NULL PRIMARY KEY,
    type            TEXT   NOT NULL,
    -- Empty once the event is applied, and of a type that the shop does not process.
    body            TEXT   NOT NULL,
    received_at     BIGINT NOT NULL,
    applied_at      BIGINT,
    attempts        BIGINT NOT NULL DEFAULT 0,
    next_attempt_at BIGINT NOT NULL
);
CREATE INDEX webhook_events_pending ON webhook_events (next_attempt_at) WHERE applied_at IS NULL;

-- Settings

-- Every change of a setting, with its new value as JSON. The latest one of each name is in force; without any, the default
-- is.
CREATE TABLE setting_changes (
    version    BIGINT NOT NULL,
    name       TEXT   NOT NULL,
    value      TEXT   NOT NULL,
    actor      TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (version, name)
);
CREATE INDEX setting_changes_by_name ON setting_changes (name, version);

-- Email

-- The outbox: an email is inserted in the transaction it reports. A worker renders it once, before the first attempt,
-- so that every retry sends the same bytes under the same Message-ID. Message and rendering are deleted once the email
-- was sent or has failed.
CREATE TABLE outbox (
    id              TEXT   NOT NULL PRIMARY KEY,
    -- A word of `EmailKind` (`server/src/mail/email_kind.rs`).
    kind            TEXT   NOT NULL,
    -- The order that it is about.
    order_id        TEXT   REFERENCES orders (id),
    -- Idempotency key: no code reads parts of it.
    dedupe_key      TEXT   NOT NULL UNIQUE,
    recipient       TEXT   NOT NULL,
    message         TEXT   NOT NULL,
    rendered        TEXT,
    created_at      BIGINT NOT NULL,
    -- An email with a code is useless afterwards; null: the default maximum age.
    expires_at      BIGINT,
    next_attempt_at BIGINT NOT NULL,
    attempts        BIGINT NOT NULL DEFAULT 0,
    sent_at         BIGINT,
    failed_at       BIGINT,
    -- Error of the last attempt.
    failure         TEXT
);
CREATE INDEX outbox_pending ON outbox (sent_at, next_attempt_at);
CREATE INDEX outbox_failed ON outbox (failed_at);
-- The emails to a customer.
CREATE INDEX outbox_by_recipient ON outbox (recipient, created_at, id);
-- Retention: only emails about no order are deleted.
CREATE INDEX outbox_by_end ON outbox (kind, COALESCE(sent_at, failed_at)) WHERE order_id IS NULL;

-- The shop

-- Views of the public pages. A day is one of the shop's time zone, as YYYY-MM-DD.
CREATE TABLE page_views (
    day   TEXT   NOT NULL,
    path  TEXT   NOT NULL,
    views BIGINT NOT NULL,
    PRIMARY KEY (day, path)
);

-- Key-value pairs about this database that outlive a process.
CREATE TABLE shop_metadata (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);
-- The time zone in force, by its POSIX rule. A transaction that changes daily totals holds a shared lock on this row, and a
-- change of the zone an exclusive one.
INSERT INTO shop_metadata (name, value) VALUES ('time_zone_rule', 'UTC0');
-- The oldest schema version whose programs may use this database. A migration that breaks older programs raises it.
INSERT INTO shop_metadata (name, value) VALUES ('min_reader', '1');
