-- Who has had which plan's free trial: a keyed hash of the mailbox, and no account. It stays when the account is erased.
CREATE TABLE trials_used (
  person TEXT NOT NULL,
  plan TEXT NOT NULL,
  order_id TEXT NOT NULL,
  used_at BIGINT NOT NULL,
  PRIMARY KEY (person, plan)
);
CREATE INDEX trials_used_order ON trials_used (order_id);
CREATE INDEX trials_used_at ON trials_used (used_at);
