-- The embedded test-mode Stripe also keeps disputes and early fraud warnings. What kinds of objects there are is decided
-- by the program; a list of them in the schema cannot be widened with the same words on SQLite and PostgreSQL. So the
-- table is made again without that list.
CREATE TABLE teststripe_objects_of_any_kind (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    parent TEXT,
    reference TEXT UNIQUE,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL DEFAULT 1,
    document TEXT NOT NULL
);
INSERT INTO teststripe_objects_of_any_kind (id, kind, parent, reference, created_at, version, document)
SELECT id, kind, parent, reference, created_at, version, document FROM teststripe_objects;
DROP TABLE teststripe_objects;
ALTER TABLE teststripe_objects_of_any_kind RENAME TO teststripe_objects;
CREATE INDEX teststripe_objects_by_kind ON teststripe_objects (kind, created_at, id);
CREATE INDEX teststripe_objects_by_parent ON teststripe_objects (parent, kind);
