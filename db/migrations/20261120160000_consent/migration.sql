-- Proof of each choice of cookies. No reference to accounts: the proof outlives the account, without its uuid.
CREATE TABLE consent_records (
  id TEXT PRIMARY KEY,
  device_id TEXT,
  account_uuid TEXT,
  chosen_at BIGINT NOT NULL,
  received_at BIGINT NOT NULL,
  -- Which wording was shown.
  text_version TEXT NOT NULL,
  functional SMALLINT NOT NULL,
  analytics SMALLINT NOT NULL,
  marketing SMALLINT NOT NULL,
  -- banner or settings
  source TEXT NOT NULL,
  country TEXT
);
CREATE INDEX consent_records_by_device ON consent_records (device_id, chosen_at);
CREATE INDEX consent_records_by_account ON consent_records (account_uuid, chosen_at);
