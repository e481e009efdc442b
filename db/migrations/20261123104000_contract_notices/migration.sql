-- Statements that end a contract, sent without logging in (decisions 132, 133). Kept as they came; what follows from them is done at its time,
-- or waits for a person.
CREATE TABLE contract_notices (
  id TEXT PRIMARY KEY,
  -- cancel or withdraw
  kind TEXT NOT NULL,
  received_at BIGINT NOT NULL,
  locale TEXT NOT NULL,
  time_zone TEXT,
  -- Who has the address that it names; null for nobody.
  account_uuid TEXT REFERENCES accounts (uuid) ON DELETE CASCADE,
  email TEXT NOT NULL,
  name TEXT NOT NULL,
  contract TEXT NOT NULL,
  for_cause SMALLINT NOT NULL,
  reason TEXT,
  -- YYYY-MM-DD
  not_before TEXT,
  -- due, done, or person: somebody has to look
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  -- Null once it is done or waits for a person.
  next_attempt_at BIGINT,
  done_at BIGINT
);
CREATE INDEX contract_notices_due ON contract_notices (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX contract_notices_by_account ON contract_notices (account_uuid);
CREATE INDEX contract_notices_by_email ON contract_notices (email);
CREATE INDEX contract_notices_by_age ON contract_notices (received_at);

-- Where the buyer was when the order was made, as far as it is known: which law the contract has (decision 130).
ALTER TABLE orders ADD COLUMN country TEXT;
