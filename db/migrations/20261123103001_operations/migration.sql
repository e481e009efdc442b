-- Processes that serve, each by the id it drew at its start. Gone ones are forgotten after a week.
CREATE TABLE processes (
  id TEXT PRIMARY KEY,
  started_at BIGINT NOT NULL,
  seen_at BIGINT NOT NULL,
  ended_at BIGINT,
  -- Of the code, of the newest migration it knows, of the contents it was built with.
  code TEXT NOT NULL,
  schema_name TEXT NOT NULL,
  content TEXT NOT NULL,
  -- Of the last five minutes.
  requests BIGINT NOT NULL,
  failures BIGINT NOT NULL
);

-- How often a webhook was tried and what kept it from being applied; one that could not be read is applied and says why.
ALTER TABLE provider_events ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE provider_events ADD COLUMN error TEXT;
CREATE INDEX provider_events_failed ON provider_events (received_at) WHERE error IS NOT NULL;

-- Errors of visitors' pages by their cause: the message without what differs from visit to visit, and the place in our sources.
CREATE TABLE client_errors (
  cause TEXT PRIMARY KEY,
  message TEXT NOT NULL,
  place TEXT NOT NULL,
  -- The latest one's, as our sources have it.
  stack TEXT NOT NULL,
  first_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL
);
CREATE INDEX client_errors_last ON client_errors (last_at);
CREATE TABLE client_error_counts (
  cause TEXT NOT NULL,
  day TEXT NOT NULL,
  app_version TEXT NOT NULL,
  browser TEXT NOT NULL,
  route TEXT NOT NULL,
  questionnaire TEXT NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (cause, day, app_version, browser, route, questionnaire)
);
CREATE INDEX client_error_counts_day ON client_error_counts (day);

-- What limits refused, by the hour (ms since 1970, its begin).
CREATE TABLE limit_refusals (
  rule TEXT NOT NULL,
  hour BIGINT NOT NULL,
  refused BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  PRIMARY KEY (rule, hour)
);
CREATE INDEX limit_refusals_hour ON limit_refusals (hour);

-- Rules as an operator set them; one that is not here stands as it came.
CREATE TABLE alert_rules (
  name TEXT PRIMARY KEY,
  active SMALLINT NOT NULL,
  threshold BIGINT NOT NULL
);
-- Where alerts are told: `mail` an address, `webhook` an address and the key it is signed with.
CREATE TABLE alert_channels (
  name TEXT PRIMARY KEY,
  target TEXT NOT NULL,
  secret TEXT NOT NULL
);
CREATE TABLE alerts (
  id TEXT PRIMARY KEY,
  rule TEXT NOT NULL,
  says TEXT NOT NULL,
  began_at BIGINT NOT NULL,
  ended_at BIGINT,
  seen_by TEXT,
  seen_at BIGINT
);
-- One of a rule at a time.
CREATE UNIQUE INDEX alerts_open ON alerts (rule) WHERE ended_at IS NULL;
CREATE INDEX alerts_began ON alerts (began_at);
-- Tellings by webhook: written with what they tell. Mails go by the mail outbox.
CREATE TABLE alert_deliveries (
  id TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  attempts INTEGER NOT NULL,
  next_attempt_at BIGINT,
  sent_at BIGINT,
  error TEXT
);
CREATE INDEX alert_deliveries_due ON alert_deliveries (next_attempt_at);
