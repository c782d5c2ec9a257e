-- When the first of the checkouts began of which each took the place of the one before, and since when the account has
-- held some of the same goods without leaving them to others for a while. A checkout from before these columns is the
-- first of its chain.
ALTER TABLE checkouts ADD COLUMN chain_began_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE checkouts ADD COLUMN held_since BIGINT NOT NULL DEFAULT 0;
UPDATE checkouts SET chain_began_at = created_at, held_since = created_at;

-- When a checkout was closed without an order; null for one that is not, or that a version before this one closed.
ALTER TABLE checkouts ADD COLUMN closed_at BIGINT;
CREATE INDEX checkouts_closed_by_user ON checkouts (user_id, closed_at) WHERE state = 'closed';
