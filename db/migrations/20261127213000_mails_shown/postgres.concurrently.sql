-- What the studio's operations show of mails and conversions, every ten seconds. Without these the database read every stored mail.
CREATE INDEX CONCURRENTLY mail_outbox_sent ON mail_outbox (sent_at) WHERE sent_at IS NOT NULL;
CREATE INDEX CONCURRENTLY mail_outbox_given_up ON mail_outbox (created_at) WHERE next_attempt_at IS NULL AND sent_at IS NULL;
CREATE INDEX CONCURRENTLY mail_outbox_with_error ON mail_outbox (created_at) WHERE error IS NOT NULL;
CREATE INDEX CONCURRENTLY conversions_refused ON conversions (created_at) WHERE status = 'refused';
CREATE INDEX CONCURRENTLY conversions_waiting ON conversions (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
