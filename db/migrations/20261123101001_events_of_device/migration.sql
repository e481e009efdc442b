-- A visit is watched by its device's events in their order.
CREATE INDEX events_of_device ON events (device_id, happened_at);
