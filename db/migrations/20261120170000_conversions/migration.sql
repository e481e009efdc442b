-- One row for each paid order and each place that purchases are reported to: what was sent there, or why not.
CREATE TABLE conversions (
  order_id TEXT NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
  destination TEXT NOT NULL,
  -- waiting, sent, withheld (no consent), refused or too late
  status TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Null once it is settled.
  next_attempt_at BIGINT,
  error TEXT,
  PRIMARY KEY (order_id, destination)
);
CREATE INDEX conversions_due ON conversions (next_attempt_at);
