-- A mail is rendered once, before it is first sent: whatever happens in between, what is sent again is the same
-- bytes under the same Message-ID. Both are dropped, like the message, once the mail has left or was given up.
ALTER TABLE outbox ADD COLUMN rendered TEXT;
ALTER TABLE outbox ADD COLUMN message_id TEXT;
-- When it is of no use any more, such as a mail with a code; null: after the usual patience.
ALTER TABLE outbox ADD COLUMN expires_at BIGINT;
-- What the last try failed with, and when nobody tries any more.
ALTER TABLE outbox ADD COLUMN failure TEXT;
ALTER TABLE outbox ADD COLUMN given_up_at BIGINT;
CREATE INDEX outbox_given_up ON outbox (given_up_at);
