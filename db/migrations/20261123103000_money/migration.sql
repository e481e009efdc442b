-- What moved, one row each: a payment, a refund, a chargeback or its reversal. Made of the facts of `provider_facts`, in the write that keeps them.
CREATE TABLE money_entries (
  payment_provider TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  subscription_id TEXT,
  order_id TEXT,
  -- It pays for the plan or a period of it.
  for_period SMALLINT NOT NULL,
  at BIGINT NOT NULL,
  -- Of `at`, UTC.
  day TEXT NOT NULL,
  currency TEXT NOT NULL,
  -- Minor units, of what moved in whichever direction; null where the provider has not told it.
  gross BIGINT NOT NULL,
  tax BIGINT,
  fee BIGINT,
  -- Of what was paid for.
  period_end BIGINT,
  PRIMARY KEY (payment_provider, id)
);
CREATE INDEX money_entries_day ON money_entries (day);
CREATE INDEX money_entries_transaction ON money_entries (transaction_id);
CREATE INDEX money_entries_subscription ON money_entries (subscription_id, at);
CREATE INDEX money_entries_order ON money_entries (order_id);
CREATE INDEX money_entries_period ON money_entries (period_end);

-- What became of subscriptions, as they were told: failed (a charge), cancelled (asked or ended), kept (a cancellation taken back), paused.
CREATE TABLE plan_moments (
  payment_provider TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (payment_provider, subscription_id, kind, at)
);
CREATE INDEX plan_moments_at ON plan_moments (at);

-- As an operator imported them. How much of a currency one unit of the base buys, as it was written.
CREATE TABLE exchange_rates (
  base TEXT NOT NULL,
  currency TEXT NOT NULL,
  day TEXT NOT NULL,
  rate TEXT NOT NULL,
  source TEXT NOT NULL,
  PRIMARY KEY (base, currency, day)
);

-- The latest comparison with each provider. `findings` is JSON.
CREATE TABLE reconciliations (
  payment_provider TEXT PRIMARY KEY,
  at BIGINT NOT NULL,
  since BIGINT NOT NULL,
  findings TEXT NOT NULL
);
