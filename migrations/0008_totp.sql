-- The step of the clock whose code an administrator used last: neither it nor an older one counts again.
ALTER TABLE users ADD COLUMN totp_step BIGINT;
-- Found by who keeps the seals of second factors up to date; there are few.
CREATE INDEX users_by_totp ON users (totp_secret);
