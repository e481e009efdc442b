-- Which mails go first (src/server/mail/outbox.ts). Rows of the previous release are not delayed.
ALTER TABLE mail_outbox ADD COLUMN lane INTEGER NOT NULL DEFAULT 0;
