-- The open orders about which the provider is asked each minute (src/server/payments/reconciliation.ts). It has every column that chooses among them:
-- reading the rows of 100,000 open orders took half a second, in which the process did nothing else.
CREATE INDEX orders_waiting ON orders (status, created_at, checked_at, id, transaction_id, hosted_url)
  WHERE status = 'pending' AND (transaction_id IS NOT NULL OR hosted_url IS NOT NULL);
