-- The latest visit with the error whose visitor allowed statistics: the studio replays it. Null without one, and once the visitor is erased.
ALTER TABLE client_errors ADD COLUMN device_id TEXT;
ALTER TABLE client_errors ADD COLUMN version TEXT;
