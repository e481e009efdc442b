-- One file for SQLite and PostgreSQL. Ids are UUIDs as text, times are milliseconds since 1970, JSON is text, flags are 0 or 1.

CREATE TABLE accounts (
  uuid TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  email_confirmed_at BIGINT,
  -- Null when the password was ended: the account is entered by link.
  password_hash TEXT,
  firstname TEXT,
  locale TEXT NOT NULL,
  questionnaire_version TEXT NOT NULL,
  app_version TEXT NOT NULL,
  -- Null until asked.
  marketing_consent SMALLINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

-- A session is one family of refresh tokens.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  account_uuid TEXT NOT NULL REFERENCES accounts (uuid) ON DELETE CASCADE,
  started_at BIGINT NOT NULL,
  ended_at BIGINT,
  end_reason TEXT
);
CREATE INDEX sessions_by_account ON sessions (account_uuid);

CREATE TABLE refresh_tokens (
  token_hash TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  issued_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  successor_hash TEXT
);
CREATE INDEX refresh_tokens_by_session ON refresh_tokens (session_id);

-- Tokens sent by mail. The token itself is derived from the id and a secret, so that no dump holds it.
CREATE TABLE link_tokens (
  id TEXT PRIMARY KEY,
  token_hash TEXT NOT NULL UNIQUE,
  purpose TEXT NOT NULL,
  account_uuid TEXT NOT NULL REFERENCES accounts (uuid) ON DELETE CASCADE,
  -- The address it was sent to: a changed address ends it.
  email TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT
);
CREATE INDEX link_tokens_by_account ON link_tokens (account_uuid, purpose);

CREATE TABLE questionnaire_states (
  account_uuid TEXT PRIMARY KEY REFERENCES accounts (uuid) ON DELETE CASCADE,
  version TEXT NOT NULL,
  state TEXT NOT NULL,
  user_level TEXT,
  finished SMALLINT NOT NULL,
  saved_at BIGINT NOT NULL
);

CREATE TABLE study_schedules (
  account_uuid TEXT PRIMARY KEY REFERENCES accounts (uuid) ON DELETE CASCADE,
  schedule_id INTEGER NOT NULL,
  months INTEGER NOT NULL,
  practise_days_per_week INTEGER NOT NULL,
  minutes_per_session INTEGER NOT NULL,
  days TEXT NOT NULL,
  saved_at BIGINT NOT NULL
);

CREATE TABLE marketing_consents (
  id TEXT PRIMARY KEY,
  account_uuid TEXT NOT NULL REFERENCES accounts (uuid) ON DELETE CASCADE,
  consent SMALLINT NOT NULL,
  given_at BIGINT NOT NULL
);
CREATE INDEX marketing_consents_by_account ON marketing_consents (account_uuid);

CREATE TABLE popups (
  account_uuid TEXT NOT NULL REFERENCES accounts (uuid) ON DELETE CASCADE,
  questionnaire TEXT NOT NULL,
  popup_id TEXT NOT NULL,
  shown_at BIGINT NOT NULL,
  PRIMARY KEY (account_uuid, questionnaire, popup_id)
);

-- No reference to accounts: counts outlive the account, its uuid is then emptied.
CREATE TABLE events (
  id TEXT PRIMARY KEY,
  event_type TEXT NOT NULL,
  account_uuid TEXT,
  device_id TEXT,
  country TEXT,
  payload TEXT NOT NULL,
  happened_at BIGINT NOT NULL,
  received_at BIGINT NOT NULL
);
CREATE INDEX events_by_type_and_time ON events (event_type, happened_at);
CREATE INDEX events_by_account ON events (account_uuid);

CREATE TABLE mail_outbox (
  id TEXT PRIMARY KEY,
  template TEXT NOT NULL,
  locale TEXT NOT NULL,
  recipient TEXT NOT NULL,
  -- What the template is filled with; never a token in clear (see link_tokens).
  data TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  sent_at BIGINT,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Null once sent or given up.
  next_attempt_at BIGINT,
  error TEXT
);
CREATE INDEX mail_outbox_due ON mail_outbox (next_attempt_at);

CREATE TABLE audit (
  id TEXT PRIMARY KEY,
  at BIGINT NOT NULL,
  account_uuid TEXT,
  kind TEXT NOT NULL,
  data TEXT NOT NULL
);
CREATE INDEX audit_by_account ON audit (account_uuid, at);

-- Whether the database takes a write: /readyz touches its row.
CREATE TABLE probes (
  name TEXT PRIMARY KEY,
  at BIGINT NOT NULL
);
