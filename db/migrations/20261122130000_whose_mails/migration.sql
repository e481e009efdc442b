-- Whose mail it is: an address may have been another's before. Null when nobody's (there was no account), and when an older release wrote it.
ALTER TABLE mail_outbox ADD COLUMN account_uuid TEXT REFERENCES accounts (uuid) ON DELETE CASCADE;
-- Those that are there, as far as it can be known: what went to an account's address since it has it.
UPDATE mail_outbox SET account_uuid = (
  SELECT uuid FROM accounts
  WHERE email = recipient AND mail_outbox.created_at >= COALESCE(
    (SELECT max(at) FROM audit WHERE audit.account_uuid = accounts.uuid AND kind = 'email changed'),
    accounts.created_at
  )
);
CREATE INDEX mail_outbox_of_account ON mail_outbox (account_uuid, created_at, id);
