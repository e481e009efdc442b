-- Events lie in partitions, by when they were received. What is there stays in one, which takes whatever has no partition of its own;
-- src/server/events/months.ts adds one a month. Nothing is read or copied here.
ALTER TABLE events RENAME TO events_rest;
CREATE TABLE events (LIKE events_rest INCLUDING DEFAULTS) PARTITION BY RANGE (received_at);
-- Each partition has a primary key of its own: the id alone, which the key of all would have to share with the time.
CREATE INDEX events_all_of_account ON events (account_uuid, happened_at, id);
CREATE INDEX events_all_of_person ON events ((payload::json ->> 'uuid'), id);
CREATE INDEX events_all_of_device ON events (device_id, happened_at);
CREATE INDEX events_all_by_receipt ON events USING brin (received_at);
-- Takes over the indexes that it has.
ALTER TABLE events ATTACH PARTITION events_rest DEFAULT;
