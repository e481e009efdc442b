-- Place of an event among its device's, 1, 2, 3 …; null from clients that do not count.
ALTER TABLE events ADD COLUMN sequence BIGINT;

-- Which visitor a device's events are of: the account or questionnaire uuid of its latest event, so two devices of one account are one visitor.
CREATE TABLE event_devices (
  device_id TEXT PRIMARY KEY,
  visitor TEXT NOT NULL,
  sequence BIGINT NOT NULL
);
CREATE INDEX event_devices_by_visitor ON event_devices (visitor);

-- What a device did in a version, folded from its events as they come in, so that the report reads a row a journey and not one an event.
CREATE TABLE journeys (
  device_id TEXT NOT NULL,
  version TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  locale TEXT,
  country TEXT,
  platform TEXT,
  campaign TEXT,
  -- src/server/events/journey.ts
  steps TEXT NOT NULL,
  PRIMARY KEY (device_id, version)
);
CREATE INDEX journeys_by_start ON journeys (version, started_at);
