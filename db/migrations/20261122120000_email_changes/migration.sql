-- Changes of addresses that were confirmed: the new one counts when it is confirmed, the old one can be put back for seven days.
CREATE TABLE email_changes (
  id TEXT PRIMARY KEY,
  account_uuid TEXT NOT NULL REFERENCES accounts (uuid) ON DELETE CASCADE,
  from_email TEXT NOT NULL,
  to_email TEXT NOT NULL,
  -- Asked for the change, and stays when the new address counts.
  session_id TEXT NOT NULL,
  asked_at BIGINT NOT NULL,
  -- Until when the new address can be confirmed.
  expires_at BIGINT NOT NULL,
  -- NULL while it waits; then confirmed, replaced, dropped or undone.
  outcome TEXT,
  ended_at BIGINT
);
CREATE INDEX email_changes_by_account ON email_changes (account_uuid);
CREATE INDEX email_changes_by_address ON email_changes (from_email);
