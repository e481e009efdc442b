-- What the payments look for after each webhook and each minute: webhooks to apply, duties to carry out, plans that end. Without statistics SQLite chose other
-- indexes, and read every webhook, duty or order: with 100,000 webhooks, each further one stopped the process for half a second.
CREATE INDEX provider_events_due ON provider_events (payment_provider, attempts, received_at, event_id) WHERE applied_at IS NULL;
CREATE INDEX payment_duties_due_at ON payment_duties (payment_provider, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX payment_duties_of_order ON payment_duties (order_id, kind);
CREATE INDEX entitlements_by_end ON entitlements (status, ends_at);
