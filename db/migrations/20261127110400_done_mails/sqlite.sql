-- The done mails by their age, for retention. By `mail_outbox_done_by_age`, which is without the column, SQLite did not look: for each 250 mails it read all.
CREATE INDEX mail_outbox_done ON mail_outbox (next_attempt_at, created_at) WHERE next_attempt_at IS NULL;
DROP INDEX mail_outbox_done_by_age;
