-- Whether what was paid is what was ordered, as it was judged: prices that change later change nothing.
CREATE TABLE payment_verdicts (
  payment_provider TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  -- Currency, amount and items, as they were judged. Empty: whatever was paid.
  paid TEXT NOT NULL,
  agreed SMALLINT NOT NULL,
  judged_at BIGINT NOT NULL,
  PRIMARY KEY (payment_provider, transaction_id, paid)
);

-- What was judged before verdicts were kept: refused, and not settled by what came later.
INSERT INTO payment_verdicts (payment_provider, transaction_id, paid, agreed, judged_at)
SELECT payment_mismatches.payment_provider, payment_mismatches.transaction_id, '', 0, payment_mismatches.noted_at
FROM payment_mismatches JOIN orders ON orders.id = payment_mismatches.order_id
WHERE payment_mismatches.settled_at IS NULL OR orders.status = 'failed'
ON CONFLICT DO NOTHING;

-- Agreed: what completed an order, and its renewals.
INSERT INTO payment_verdicts (payment_provider, transaction_id, paid, agreed, judged_at)
SELECT payment_provider, transaction_id, '', 1, updated_at FROM orders
WHERE status = 'completed' AND transaction_id IS NOT NULL
ON CONFLICT DO NOTHING;
INSERT INTO payment_verdicts (payment_provider, transaction_id, paid, agreed, judged_at)
SELECT provider_facts.payment_provider, provider_facts.id, '', 1, orders.updated_at
FROM orders JOIN provider_facts
  ON provider_facts.payment_provider = orders.payment_provider AND provider_facts.subscription_id = orders.subscription_id
WHERE orders.status = 'completed' AND provider_facts.fact LIKE '%"kind":"transaction"%' AND provider_facts.fact LIKE '%"status":"completed"%'
ON CONFLICT DO NOTHING;
