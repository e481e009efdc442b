-- Payments that are not what their order costs: they entitle to nothing until somebody has looked.
CREATE TABLE payment_mismatches (
  payment_provider TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  order_id TEXT NOT NULL,
  currency TEXT,
  -- Minor units.
  total BIGINT NOT NULL,
  noted_at BIGINT NOT NULL,
  settled_at BIGINT,
  PRIMARY KEY (payment_provider, transaction_id)
);
CREATE INDEX payment_mismatches_order ON payment_mismatches (order_id);
