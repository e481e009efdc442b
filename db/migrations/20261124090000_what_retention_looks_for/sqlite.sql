-- Retention asks every six hours what is old (src/server/accounts/retention.ts).
CREATE INDEX events_by_receipt ON events (received_at);
CREATE INDEX consent_records_by_receipt ON consent_records (received_at);
CREATE INDEX audit_by_age ON audit (at);
CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_at);
CREATE INDEX link_tokens_by_expiry ON link_tokens (expires_at);
CREATE INDEX mail_outbox_done_by_age ON mail_outbox (created_at) WHERE next_attempt_at IS NULL;
