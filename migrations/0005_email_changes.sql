-- Changes of an account's email address. Programs of the previous schema read neither table, so they may use this one.

-- Changes that wait for both codes. An account has at most one.
CREATE TABLE email_changes (
    user_id           TEXT   NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    -- The new address, as entered, and in lower case for comparison.
    email             TEXT   NOT NULL,
    email_key         TEXT   NOT NULL,
    -- Of the code that was sent to the current address.
    current_code_hash TEXT   NOT NULL,
    -- Of the code that was sent to the new one. Empty if another account has the address, so that no code matches.
    new_code_hash     TEXT   NOT NULL,
    attempts_left     BIGINT NOT NULL CHECK (attempts_left >= 0),
    expires_at        BIGINT NOT NULL
);
CREATE INDEX email_changes_by_expiry ON email_changes (expires_at);

-- Addresses that an account had, and may have again by the link that was sent there. Until then, no other account gets them.
CREATE TABLE previous_emails (
    -- SHA-256 of the link's token.
    token_hash TEXT   NOT NULL PRIMARY KEY,
    user_id    TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    email      TEXT   NOT NULL,
    email_key  TEXT   NOT NULL,
    changed_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX previous_emails_by_user ON previous_emails (user_id, changed_at);
CREATE INDEX previous_emails_by_address ON previous_emails (email_key);
CREATE INDEX previous_emails_by_expiry ON previous_emails (expires_at);
