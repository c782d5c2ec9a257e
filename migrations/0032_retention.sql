-- What is deleted after some time is found without looking through all that stays. The statements that delete have the
-- same conditions.
CREATE INDEX checkouts_with_address ON checkouts (expires_at) WHERE state IN ('closed', 'returned') AND address <> '{}';
CREATE INDEX webhook_events_with_body ON webhook_events (applied_at) WHERE applied_at IS NOT NULL AND body <> '';
-- An email about an account, by the beginning of its key; all others are about orders and stay with them.
CREATE INDEX outbox_of_accounts ON outbox (COALESCE(sent_at, given_up_at))
    WHERE SUBSTR(dedupe_key, 1, 5) IN ('addre', 'code:', 'passw', 'sessi', 'wrong');
