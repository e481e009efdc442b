-- The same as for PostgreSQL, where the comments stand.
CREATE TABLE journey_copy (
  place TEXT PRIMARY KEY,
  copy_name TEXT NOT NULL,
  edition BIGINT NOT NULL,
  delivered BIGINT NOT NULL,
  copied_to TEXT NOT NULL,
  complete_at BIGINT,
  settled BIGINT NOT NULL,
  settled_at BIGINT NOT NULL,
  tried_at BIGINT NOT NULL,
  tries BIGINT NOT NULL,
  error TEXT
);
CREATE TABLE journey_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  device_id TEXT NOT NULL,
  version TEXT NOT NULL,
  day BIGINT NOT NULL,
  at BIGINT NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER))
);
CREATE INDEX journey_changes_of_day ON journey_changes (version, day);

CREATE TRIGGER journey_added AFTER INSERT ON journeys WHEN EXISTS (SELECT 1 FROM journey_copy) BEGIN
  INSERT INTO journey_changes (device_id, version, day)
    VALUES (NEW.device_id, NEW.version, NEW.started_at - ((NEW.started_at % 86400000) + 86400000) % 86400000);
END;
CREATE TRIGGER journey_changed AFTER UPDATE ON journeys WHEN EXISTS (SELECT 1 FROM journey_copy)
  AND (OLD.device_id <> NEW.device_id OR OLD.version <> NEW.version OR OLD.started_at <> NEW.started_at OR OLD.last_at <> NEW.last_at OR OLD.steps <> NEW.steps
    OR OLD.locale IS NOT NEW.locale OR OLD.country IS NOT NEW.country OR OLD.platform IS NOT NEW.platform OR OLD.campaign IS NOT NEW.campaign
    OR OLD.release IS NOT NEW.release) BEGIN
  INSERT INTO journey_changes (device_id, version, day)
    VALUES (OLD.device_id, OLD.version, OLD.started_at - ((OLD.started_at % 86400000) + 86400000) % 86400000);
  INSERT INTO journey_changes (device_id, version, day)
    SELECT NEW.device_id, NEW.version, NEW.started_at - ((NEW.started_at % 86400000) + 86400000) % 86400000
    WHERE OLD.device_id <> NEW.device_id OR OLD.version <> NEW.version OR OLD.started_at <> NEW.started_at;
END;
CREATE TRIGGER journey_gone AFTER DELETE ON journeys WHEN EXISTS (SELECT 1 FROM journey_copy) BEGIN
  INSERT INTO journey_changes (device_id, version, day)
    VALUES (OLD.device_id, OLD.version, OLD.started_at - ((OLD.started_at % 86400000) + 86400000) % 86400000);
  INSERT INTO journey_changes (device_id, version, day)
    SELECT device_id, version, started_at - ((started_at % 86400000) + 86400000) % 86400000 FROM journeys WHERE device_id = OLD.device_id LIMIT 1;
END;

CREATE TRIGGER visitor_added AFTER INSERT ON event_devices WHEN EXISTS (SELECT 1 FROM journey_copy) BEGIN
  INSERT INTO journey_changes (device_id, version, day)
    SELECT device_id, version, started_at - ((started_at % 86400000) + 86400000) % 86400000 FROM journeys WHERE device_id = NEW.device_id LIMIT 1;
END;
CREATE TRIGGER visitor_changed AFTER UPDATE ON event_devices
  WHEN EXISTS (SELECT 1 FROM journey_copy) AND (OLD.device_id <> NEW.device_id OR OLD.visitor <> NEW.visitor) BEGIN
  INSERT INTO journey_changes (device_id, version, day)
    SELECT device_id, version, started_at - ((started_at % 86400000) + 86400000) % 86400000 FROM journeys WHERE device_id = OLD.device_id LIMIT 1;
  INSERT INTO journey_changes (device_id, version, day)
    SELECT device_id, version, started_at - ((started_at % 86400000) + 86400000) % 86400000 FROM journeys WHERE device_id = NEW.device_id LIMIT 1;
  INSERT INTO journey_changes (device_id, version, day)
    SELECT journeys.device_id, version, started_at - ((started_at % 86400000) + 86400000) % 86400000
    FROM event_devices JOIN journeys ON journeys.device_id = event_devices.device_id WHERE visitor = OLD.visitor LIMIT 1;
END;
CREATE TRIGGER visitor_gone AFTER DELETE ON event_devices WHEN EXISTS (SELECT 1 FROM journey_copy) BEGIN
  INSERT INTO journey_changes (device_id, version, day)
    SELECT device_id, version, started_at - ((started_at % 86400000) + 86400000) % 86400000 FROM journeys WHERE device_id = OLD.device_id LIMIT 1;
  INSERT INTO journey_changes (device_id, version, day)
    SELECT journeys.device_id, version, started_at - ((started_at % 86400000) + 86400000) % 86400000
    FROM event_devices JOIN journeys ON journeys.device_id = event_devices.device_id WHERE visitor = OLD.visitor LIMIT 1;
END;

CREATE TRIGGER choice_added AFTER INSERT ON consent_records WHEN EXISTS (SELECT 1 FROM journey_copy) BEGIN
  INSERT INTO journey_changes (device_id, version, day)
    SELECT device_id, version, started_at - ((started_at % 86400000) + 86400000) % 86400000 FROM journeys WHERE device_id = NEW.device_id LIMIT 1;
END;
CREATE TRIGGER choice_changed AFTER UPDATE ON consent_records WHEN EXISTS (SELECT 1 FROM journey_copy) BEGIN
  INSERT INTO journey_changes (device_id, version, day)
    SELECT device_id, version, started_at - ((started_at % 86400000) + 86400000) % 86400000 FROM journeys WHERE device_id = OLD.device_id LIMIT 1;
  INSERT INTO journey_changes (device_id, version, day)
    SELECT device_id, version, started_at - ((started_at % 86400000) + 86400000) % 86400000 FROM journeys WHERE device_id = NEW.device_id LIMIT 1;
END;
CREATE TRIGGER choice_gone AFTER DELETE ON consent_records WHEN EXISTS (SELECT 1 FROM journey_copy) BEGIN
  INSERT INTO journey_changes (device_id, version, day)
    SELECT device_id, version, started_at - ((started_at % 86400000) + 86400000) % 86400000 FROM journeys WHERE device_id = OLD.device_id LIMIT 1;
END;

CREATE TRIGGER purchase_added AFTER INSERT ON orders WHEN EXISTS (SELECT 1 FROM journey_copy) AND NEW.status = 'completed' BEGIN
  INSERT INTO journey_changes (device_id, version, day)
    SELECT journeys.device_id, version, started_at - ((started_at % 86400000) + 86400000) % 86400000
    FROM event_devices JOIN journeys ON journeys.device_id = event_devices.device_id WHERE visitor = NEW.account_uuid LIMIT 1;
END;
CREATE TRIGGER purchase_changed AFTER UPDATE OF status, account_uuid, created_at ON orders
  WHEN EXISTS (SELECT 1 FROM journey_copy) AND (OLD.status = 'completed' OR NEW.status = 'completed') BEGIN
  INSERT INTO journey_changes (device_id, version, day)
    SELECT journeys.device_id, version, started_at - ((started_at % 86400000) + 86400000) % 86400000
    FROM event_devices JOIN journeys ON journeys.device_id = event_devices.device_id WHERE visitor = OLD.account_uuid LIMIT 1;
  INSERT INTO journey_changes (device_id, version, day)
    SELECT journeys.device_id, version, started_at - ((started_at % 86400000) + 86400000) % 86400000
    FROM event_devices JOIN journeys ON journeys.device_id = event_devices.device_id WHERE visitor = NEW.account_uuid LIMIT 1;
END;
CREATE TRIGGER purchase_gone AFTER DELETE ON orders WHEN EXISTS (SELECT 1 FROM journey_copy) AND OLD.status = 'completed' BEGIN
  INSERT INTO journey_changes (device_id, version, day)
    SELECT journeys.device_id, version, started_at - ((started_at % 86400000) + 86400000) % 86400000
    FROM event_devices JOIN journeys ON journeys.device_id = event_devices.device_id WHERE visitor = OLD.account_uuid LIMIT 1;
END;
