-- How many causes are new today (src/server/events/clientErrors.ts), however many are known.
CREATE INDEX client_errors_first ON client_errors (first_at);
