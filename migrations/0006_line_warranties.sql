-- The warranty of what was bought. Programs of the previous schema neither read nor write these columns, so they may use
-- this one.

-- Months, as the product's page stated them when the line was quoted. NULL if it stated none, and for lines of programs
-- without these columns.
ALTER TABLE checkout_lines ADD COLUMN warranty_months BIGINT;
ALTER TABLE order_lines ADD COLUMN warranty_months BIGINT;
