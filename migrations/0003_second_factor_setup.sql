-- Setting up an administrator's second factor in the browser, and recovery codes. Programs of the previous schema read
-- neither, so they may use this one; they accept no recovery codes.

-- Links of `nudgelight admin grant`. A link works once.
CREATE TABLE second_factor_setups (
    -- SHA-256 of the token in the link.
    token_hash TEXT   NOT NULL PRIMARY KEY,
    user_id    TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
);
CREATE INDEX second_factor_setups_by_user ON second_factor_setups (user_id);
CREATE INDEX second_factor_setups_by_expiry ON second_factor_setups (expires_at);

-- Each takes the place of a code of the authenticator app, once.
CREATE TABLE recovery_codes (
    user_id   TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- SHA-256 of the app's secret and the code, which has 80 random bits.
    code_hash TEXT   NOT NULL,
    used_at   BIGINT,
    PRIMARY KEY (user_id, code_hash)
);
