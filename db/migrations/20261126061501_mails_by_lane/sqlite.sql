-- The mailer asks for the due mails of each lane (src/server/mail/mailer.ts).
CREATE INDEX mail_outbox_by_lane ON mail_outbox (lane, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
