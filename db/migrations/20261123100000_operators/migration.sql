-- Who runs the funnel in the studio. An operator is nobody's visitor: their address stands here and in no account.
CREATE TABLE operators (
  id TEXT PRIMARY KEY,
  address TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  removed_at BIGINT
);

CREATE TABLE operator_sessions (
  id TEXT PRIMARY KEY,
  token_hash TEXT NOT NULL UNIQUE,
  operator_id TEXT NOT NULL REFERENCES operators (id),
  -- passkey, link or oidc
  entered_by TEXT NOT NULL,
  browser TEXT NOT NULL,
  network TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  seen_at BIGINT NOT NULL,
  -- When people and money were last open to it without signing in again.
  fresh_at BIGINT NOT NULL,
  ended_at BIGINT
);
CREATE INDEX operator_sessions_operator ON operator_sessions (operator_id, ended_at);

CREATE TABLE operator_links (
  id TEXT PRIMARY KEY,
  token_hash TEXT NOT NULL UNIQUE,
  -- first (of an installation without operators), invitation, sign-in
  purpose TEXT NOT NULL,
  operator_id TEXT REFERENCES operators (id),
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT
);
CREATE INDEX operator_links_operator ON operator_links (operator_id);

CREATE TABLE operator_passkeys (
  id TEXT PRIMARY KEY,
  operator_id TEXT NOT NULL REFERENCES operators (id),
  name TEXT NOT NULL,
  -- base64url
  public_key TEXT NOT NULL,
  counter BIGINT NOT NULL,
  -- JSON
  transports TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  used_at BIGINT
);
CREATE INDEX operator_passkeys_operator ON operator_passkeys (operator_id);

-- What a browser was asked to sign or to bring back: each once, for minutes.
CREATE TABLE operator_challenges (
  id TEXT PRIMARY KEY,
  purpose TEXT NOT NULL,
  challenge TEXT NOT NULL,
  operator_id TEXT,
  expires_at BIGINT NOT NULL
);

-- What operators did: rows are only added. One that names a visitor loses them when they are erased.
CREATE TABLE operator_audit (
  id TEXT PRIMARY KEY,
  at BIGINT NOT NULL,
  -- Null: the command line.
  operator_id TEXT,
  operator_name TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  account_uuid TEXT,
  -- JSON
  before_values TEXT,
  after_values TEXT,
  reason TEXT
);
CREATE INDEX operator_audit_at ON operator_audit (at, id);
CREATE INDEX operator_audit_account ON operator_audit (account_uuid);
