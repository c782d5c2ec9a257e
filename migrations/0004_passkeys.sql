-- Passkeys. Programs of the previous schema read neither table, so they may use this one; they accept no passkeys.

CREATE TABLE passkeys (
    id                 TEXT   NOT NULL PRIMARY KEY,
    user_id            TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- The authenticator's name for the key pair, in base64url.
    credential_id      TEXT   NOT NULL UNIQUE,
    -- Public key and signature counter, in base64url, as `accounts/passkeys/ceremony.rs` encodes them.
    public_key         TEXT   NOT NULL,
    state              TEXT   NOT NULL,
    name               TEXT   NOT NULL,
    -- SHA-256 of the authenticator app's secret and the credential id, so that a new grant voids an administrator's passkey.
    -- Null if the passkey was added without a code of the app.
    second_factor_hash TEXT,
    created_at         BIGINT NOT NULL,
    last_used_at       BIGINT
);
CREATE INDEX passkeys_by_user ON passkeys (user_id, created_at);

-- Registrations and logins that have begun. Each row is used once.
CREATE TABLE passkey_ceremonies (
    -- SHA-256 of the token that the browser holds.
    token_hash TEXT   NOT NULL PRIMARY KEY,
    purpose    TEXT   NOT NULL CHECK (purpose IN ('register', 'log_in')),
    -- Of a registration; null for a login.
    user_id    TEXT   REFERENCES users (id) ON DELETE CASCADE,
    state      TEXT   NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX passkey_ceremonies_by_user ON passkey_ceremonies (user_id);
CREATE INDEX passkey_ceremonies_by_expiry ON passkey_ceremonies (expires_at);
