-- The duties that were given up, for the alert that looks for them every 15 seconds: it read all that were ever done.
CREATE INDEX payment_duties_given_up ON payment_duties (created_at) WHERE next_attempt_at IS NULL AND done_at IS NULL;
