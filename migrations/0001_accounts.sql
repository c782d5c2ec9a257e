-- Accounts, their sessions and codes, and what slows an attacker down.
-- Instants are milliseconds since 1970-01-01T00:00:00Z; a yes or no is 0 or 1.

CREATE TABLE users (
    id            TEXT   NOT NULL PRIMARY KEY,
    -- As its owner wrote it, and lower-cased for comparing.
    email         TEXT   NOT NULL,
    email_key     TEXT   NOT NULL UNIQUE,
    -- argon2id in PHC form.
    password_hash TEXT   NOT NULL,
    is_admin      BIGINT NOT NULL DEFAULT 0 CHECK (is_admin IN (0, 1)),
    totp_secret   TEXT,
    created_at    BIGINT NOT NULL,
    confirmed_at  BIGINT,
    last_login_at BIGINT
);

-- One live code per account and purpose: a new one replaces the old.
CREATE TABLE codes (
    user_id    TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    purpose    TEXT   NOT NULL CHECK (purpose IN ('confirm-email', 'reset-password')),
    code_hash  TEXT   NOT NULL,
    tries_left BIGINT NOT NULL CHECK (tries_left >= 0),
    expires_at BIGINT NOT NULL,
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

-- Every token of a session, by the SHA-256 of its text. Spent ones stay as long as their session, because
-- a spent token that comes back is how a theft is noticed.
CREATE TABLE refresh_tokens (
    token_hash TEXT   NOT NULL PRIMARY KEY,
    session_id TEXT   NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    spent_at   BIGINT
);
CREATE INDEX refresh_tokens_by_session ON refresh_tokens (session_id);

-- The public halves of the keys that sign access tokens. `position` makes registering the first one a race
-- that exactly one process wins.
CREATE TABLE signing_keys (
    position   BIGINT NOT NULL PRIMARY KEY,
    kid        TEXT   NOT NULL UNIQUE,
    public_key TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

-- `bucket` is a rule's name and a hash of whom it is about.
CREATE TABLE rate_limits (
    bucket       TEXT   NOT NULL PRIMARY KEY,
    used         BIGINT NOT NULL CHECK (used >= 0),
    window_start BIGINT NOT NULL,
    locked_until BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL
);
CREATE INDEX rate_limits_by_expiry ON rate_limits (expires_at);

-- Solved challenges that were accepted, kept until they would have expired anyway.
CREATE TABLE bot_checks_used (
    challenge  TEXT   NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX bot_checks_used_by_expiry ON bot_checks_used (expires_at);
