-- What a provider still has to do for us: give money back, end what is superseded. Each once, written with what made it
-- necessary, tried until it is done.
CREATE TABLE payment_duties (
  payment_provider TEXT NOT NULL,
  -- refund, cancel-checkout or cancel-subscription
  kind TEXT NOT NULL,
  -- The provider's transaction or subscription.
  subject TEXT NOT NULL,
  order_id TEXT,
  reason TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  attempts INTEGER NOT NULL,
  -- Null once it is done or given up.
  next_attempt_at BIGINT,
  done_at BIGINT,
  error TEXT,
  PRIMARY KEY (payment_provider, kind, subject)
);
CREATE INDEX payment_duties_due ON payment_duties (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
