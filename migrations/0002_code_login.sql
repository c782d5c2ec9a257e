-- Logging in with an emailed code, and sessions that begin with a confirmed sign-up. Programs of the previous schema
-- read neither, so they may use this one.

-- Codes that log in, for addresses with and without an account. One per address and browser.
CREATE TABLE login_codes (
    -- SHA-256 of the token that the browser holds.
    token_hash    TEXT   NOT NULL,
    email_key     TEXT   NOT NULL,
    email         TEXT   NOT NULL,
    -- Empty for an administrator's address, which no code logs in.
    code_hash     TEXT   NOT NULL,
    attempts_left BIGINT NOT NULL CHECK (attempts_left >= 0),
    expires_at    BIGINT NOT NULL,
    PRIMARY KEY (token_hash, email_key)
);
CREATE INDEX login_codes_by_address ON login_codes (email_key);
CREATE INDEX login_codes_by_expiry ON login_codes (expires_at);

-- SHA-256 of the token of the browser that signed up; null without one.
ALTER TABLE signups ADD COLUMN token_hash TEXT;
