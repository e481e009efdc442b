-- Accounts that are being erased, in batches. Whoever works at one has claimed it until next_attempt_at.
CREATE TABLE erasures (
  account_uuid TEXT PRIMARY KEY REFERENCES accounts (uuid) ON DELETE CASCADE,
  -- Where its mails went; the account itself has lost it.
  email TEXT NOT NULL,
  -- Whom its visits are said to be of from now on.
  stand_in TEXT NOT NULL,
  asked_at BIGINT NOT NULL,
  attempts INTEGER NOT NULL,
  next_attempt_at BIGINT NOT NULL
);

-- Whose webhook it is; '' when nobody's, or nobody's any more. Null until somebody looked: such are found by the second index.
ALTER TABLE provider_events ADD COLUMN account_uuid TEXT;
CREATE INDEX provider_events_by_account ON provider_events (account_uuid);
CREATE INDEX provider_events_unnoted ON provider_events (received_at) WHERE account_uuid IS NULL;

-- What an account has is read in pieces, in the order of these. Those that they replace go.
CREATE INDEX events_of_account ON events (account_uuid, happened_at, id);
DROP INDEX events_by_account;
CREATE INDEX sessions_of_account ON sessions (account_uuid, started_at, id);
DROP INDEX sessions_by_account;
CREATE INDEX marketing_consents_of_account ON marketing_consents (account_uuid, given_at, id);
DROP INDEX marketing_consents_by_account;
CREATE INDEX event_devices_of_visitor ON event_devices (visitor, device_id);
DROP INDEX event_devices_by_visitor;
CREATE INDEX mail_outbox_of_recipient ON mail_outbox (recipient, created_at, id);
