-- A sign-up is not an account yet: each keeps its own password and its own code, and the code that is entered decides
-- which of them becomes the account. An address has at most three, one in each slot.
CREATE TABLE signups (
    id            TEXT   NOT NULL UNIQUE,
    -- As it was written, and lower-cased for comparing.
    email         TEXT   NOT NULL,
    email_key     TEXT   NOT NULL,
    slot          BIGINT NOT NULL CHECK (slot IN (0, 1, 2)),
    password_hash TEXT   NOT NULL,
    -- A keyed hash of the client it came from; empty where that is not known.
    client        TEXT   NOT NULL,
    code_hash     TEXT   NOT NULL,
    tries_left    BIGINT NOT NULL CHECK (tries_left >= 0),
    expires_at    BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    PRIMARY KEY (email_key, slot)
);
CREATE INDEX signups_by_age ON signups (created_at);

-- Whoever was waiting goes on waiting, with the code that is in the mail already: its hash is bound to the id.
INSERT INTO signups
    (id, email, email_key, slot, password_hash, client, code_hash, tries_left, expires_at, created_at)
SELECT users.id, users.email, users.email_key, 0, users.password_hash, '',
       COALESCE(codes.code_hash, ''), COALESCE(codes.tries_left, 0), COALESCE(codes.expires_at, 0), users.created_at
FROM users LEFT JOIN codes ON codes.user_id = users.id AND codes.purpose = 'confirm-email'
WHERE users.confirmed_at IS NULL;

DELETE FROM codes WHERE purpose = 'confirm-email';
DELETE FROM codes WHERE user_id IN (SELECT id FROM users WHERE confirmed_at IS NULL);
-- An administrator's right that was granted to an address before it was confirmed waits with it.
DELETE FROM users WHERE confirmed_at IS NULL AND is_admin = 0;
