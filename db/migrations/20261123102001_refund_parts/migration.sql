-- Of a part that is given back: of which payment, and how much in minor units.
ALTER TABLE payment_duties ADD COLUMN transaction_id TEXT;
ALTER TABLE payment_duties ADD COLUMN amount BIGINT;
CREATE INDEX payment_duties_parts ON payment_duties (transaction_id) WHERE transaction_id IS NOT NULL;
