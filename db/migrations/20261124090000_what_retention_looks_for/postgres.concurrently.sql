-- Retention asks every six hours what is old (src/server/accounts/retention.ts). Events lie in the order in which they came: ranges of pages will do.
CREATE INDEX CONCURRENTLY events_by_receipt ON events USING brin (received_at);
CREATE INDEX CONCURRENTLY consent_records_by_receipt ON consent_records (received_at);
CREATE INDEX CONCURRENTLY audit_by_age ON audit (at);
CREATE INDEX CONCURRENTLY refresh_tokens_by_expiry ON refresh_tokens (expires_at);
CREATE INDEX CONCURRENTLY link_tokens_by_expiry ON link_tokens (expires_at);
CREATE INDEX CONCURRENTLY mail_outbox_done_by_age ON mail_outbox (created_at) WHERE next_attempt_at IS NULL;
