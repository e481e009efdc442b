-- How many wrong six-digit codes an account got in a day and in thirty, by strangers (0) and by devices it knows (1).
CREATE TABLE login_code_tries (
  account_uuid TEXT NOT NULL REFERENCES accounts (uuid) ON DELETE CASCADE,
  by_known_device SMALLINT NOT NULL,
  days INTEGER NOT NULL,
  -- Whole periods of so many days since 1970.
  period INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (account_uuid, by_known_device, days, period)
);
