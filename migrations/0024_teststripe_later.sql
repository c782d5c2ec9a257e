-- Objects of the embedded test-mode Stripe that change by themselves, and when: refunds on which a bank decides later.
CREATE TABLE teststripe_later (
    object_id TEXT NOT NULL PRIMARY KEY,
    due_at BIGINT NOT NULL
);
CREATE INDEX teststripe_later_by_time ON teststripe_later (due_at);
