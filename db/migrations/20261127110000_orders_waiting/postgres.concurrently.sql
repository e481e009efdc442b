-- The open orders about which the provider is asked each minute (src/server/payments/reconciliation.ts).
CREATE INDEX CONCURRENTLY orders_waiting ON orders (created_at, checked_at)
  WHERE status = 'pending' AND (transaction_id IS NOT NULL OR hosted_url IS NOT NULL);
