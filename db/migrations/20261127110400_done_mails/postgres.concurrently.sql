-- The done mails by their age, for retention, by an index of the same form on both databases.
CREATE INDEX CONCURRENTLY mail_outbox_done ON mail_outbox (next_attempt_at, created_at) WHERE next_attempt_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS mail_outbox_done_by_age;
