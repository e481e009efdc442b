-- The catalogue as sold; loaded from src/content/catalog at every start. Amounts are minor units.
CREATE TABLE products (
  product_id TEXT PRIMARY KEY,
  product_type TEXT NOT NULL,
  product_plan TEXT NOT NULL,
  currency TEXT NOT NULL,
  price BIGINT NOT NULL,
  list_price BIGINT NOT NULL,
  frequency INTEGER NOT NULL,
  trial_days INTEGER NOT NULL,
  payment_provider TEXT NOT NULL,
  -- The provider's id of this price.
  price_id TEXT NOT NULL,
  -- 0 once the catalogue has it no more: old orders still name it.
  sold SMALLINT NOT NULL
);

CREATE TABLE coupons (
  code TEXT PRIMARY KEY,
  percentage INTEGER NOT NULL,
  recurring SMALLINT NOT NULL,
  -- JSON list of plans, null for all.
  plans TEXT,
  valid SMALLINT NOT NULL
);

-- What was asked for, written before anything is sent to a provider. No reference to accounts: books outlive the account,
-- its uuid is then emptied.
CREATE TABLE orders (
  id TEXT PRIMARY KEY,
  account_uuid TEXT,
  product_id TEXT NOT NULL,
  product_type TEXT NOT NULL,
  product_plan TEXT NOT NULL,
  trial_days INTEGER NOT NULL,
  price_id TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  currency TEXT NOT NULL,
  -- As shown to the buyer, coupon taken off.
  price BIGINT NOT NULL,
  coupon_code TEXT,
  payment_provider TEXT NOT NULL,
  -- pending, completed, cancelled or failed
  status TEXT NOT NULL,
  -- The provider's transaction; null until it answered.
  transaction_id TEXT UNIQUE,
  hosted_url TEXT,
  subscription_id TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  -- When the provider was last asked how it stands.
  checked_at BIGINT
);
CREATE INDEX orders_by_account ON orders (account_uuid, created_at);
CREATE INDEX orders_by_subscription ON orders (subscription_id);
CREATE INDEX orders_by_status ON orders (status, created_at);
-- Two tabs and a double tap share one open order.
CREATE UNIQUE INDEX orders_open ON orders (account_uuid, product_id, COALESCE(coupon_code, '')) WHERE status = 'pending';

-- Webhooks as received, each once, before they are answered.
CREATE TABLE provider_events (
  payment_provider TEXT NOT NULL,
  event_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  payload TEXT NOT NULL,
  received_at BIGINT NOT NULL,
  applied_at BIGINT,
  PRIMARY KEY (payment_provider, event_id)
);
CREATE INDEX provider_events_waiting ON provider_events (received_at) WHERE applied_at IS NULL;

-- The newest known state of each transaction, subscription and adjustment at a provider.
CREATE TABLE provider_facts (
  payment_provider TEXT NOT NULL,
  id TEXT NOT NULL,
  -- Sorts states of one thing: the greater is the newer, whatever came first.
  version TEXT NOT NULL,
  fact TEXT NOT NULL,
  transaction_id TEXT,
  subscription_id TEXT,
  PRIMARY KEY (payment_provider, id)
);
CREATE INDEX provider_facts_by_transaction ON provider_facts (transaction_id);
CREATE INDEX provider_facts_by_subscription ON provider_facts (subscription_id);

-- What an order gives right now; follows from its facts alone.
CREATE TABLE entitlements (
  order_id TEXT PRIMARY KEY REFERENCES orders (id),
  account_uuid TEXT,
  -- active, past_due, deleted or paused
  status TEXT NOT NULL,
  -- Null means none.
  ends_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX entitlements_by_account ON entitlements (account_uuid, created_at);
