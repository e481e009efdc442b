-- Who has had which plan's free trial. It names no account, and stays when one is erased.
CREATE TABLE trials_used (
  -- Of the mailbox, with a key of ours.
  hash TEXT NOT NULL,
  plan TEXT NOT NULL,
  order_id TEXT NOT NULL,
  used_at BIGINT NOT NULL,
  PRIMARY KEY (hash, plan)
);
CREATE INDEX trials_used_order ON trials_used (order_id);
CREATE INDEX trials_used_at ON trials_used (used_at);
