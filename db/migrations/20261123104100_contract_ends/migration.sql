-- Renewed terms that end by the month, before their provider's period does (§ 309 no. 9 BGB, decision 131): when, and what goes back then.
CREATE TABLE contract_ends (
  order_id TEXT PRIMARY KEY,
  ends_at BIGINT NOT NULL,
  -- The payment of the term, and the part of it for the months that are not used; minor units.
  transaction_id TEXT NOT NULL,
  back BIGINT NOT NULL,
  done_at BIGINT
);
CREATE INDEX contract_ends_due ON contract_ends (ends_at) WHERE done_at IS NULL;
