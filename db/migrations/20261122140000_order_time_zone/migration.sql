-- The buyer's time zone by its name ("America/Mexico_City"): mails and the account name days in it, as the offer did. Null: not known, UTC.
ALTER TABLE orders ADD COLUMN time_zone TEXT;
