-- What the studio's operations show of webhooks, every ten seconds. Without these SQLite read each stored webhook: half a second for 100,000, in which the
-- process did nothing else.
CREATE INDEX provider_events_by_time ON provider_events (received_at, applied_at, error, attempts);
CREATE INDEX provider_events_of_provider ON provider_events (payment_provider, received_at);
