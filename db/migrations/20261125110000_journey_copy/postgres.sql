-- The copy of journeys in ClickHouse (decision 200). One row while there is one; the triggers below note changes only then.
CREATE TABLE journey_copy (
  place TEXT PRIMARY KEY,
  -- Stands in the copy as well: a copy that lacks it is not this one's.
  copy_name TEXT NOT NULL,
  -- The last batch that was begun, and the last one that ClickHouse has.
  edition BIGINT NOT NULL,
  delivered BIGINT NOT NULL,
  -- How far the first copy has come, by device; it is complete when complete_at is set.
  copied_to TEXT NOT NULL,
  complete_at BIGINT,
  -- Batches up to this one are older than a day: what they replaced may be removed from the disk.
  settled BIGINT NOT NULL,
  settled_at BIGINT NOT NULL,
  tried_at BIGINT NOT NULL,
  -- How often it failed since it last worked.
  tries BIGINT NOT NULL,
  error TEXT
);
-- What ClickHouse does not have yet: places of journeys that are there, or were. Rows are only added and deleted: nobody waits for them.
CREATE TABLE journey_changes (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  device_id TEXT NOT NULL,
  version TEXT NOT NULL,
  -- The midnight before its start, UTC.
  day BIGINT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX journey_changes_of_day ON journey_changes (version, day);

CREATE FUNCTION note_journey(device TEXT, version TEXT, started_at BIGINT) RETURNS void LANGUAGE sql AS $$
  INSERT INTO journey_changes (device_id, version, day, at) VALUES (
    device, version, started_at - ((started_at % 86400000) + 86400000) % 86400000, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
$$;
-- One journey of a device is enough: all of its visitor's are written anew.
CREATE FUNCTION note_device(device TEXT) RETURNS void LANGUAGE sql AS $$
  SELECT note_journey(device_id, version, started_at) FROM (SELECT * FROM journeys WHERE device_id = device LIMIT 1) AS one;
$$;
CREATE FUNCTION note_visitor(whose TEXT) RETURNS void LANGUAGE sql AS $$
  SELECT note_journey(device_id, version, started_at) FROM (
    SELECT journeys.* FROM event_devices JOIN journeys ON journeys.device_id = event_devices.device_id WHERE event_devices.visitor = whose LIMIT 1
  ) AS one;
$$;

CREATE FUNCTION journey_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM journey_copy) THEN RETURN NULL; END IF;
  IF TG_OP = 'UPDATE' AND OLD IS NOT DISTINCT FROM NEW THEN RETURN NULL; END IF;
  IF TG_OP <> 'INSERT' THEN PERFORM note_journey(OLD.device_id, OLD.version, OLD.started_at); END IF;
  IF TG_OP = 'INSERT' OR (TG_OP = 'UPDATE' AND (OLD.device_id, OLD.version, OLD.started_at) IS DISTINCT FROM (NEW.device_id, NEW.version, NEW.started_at))
    THEN PERFORM note_journey(NEW.device_id, NEW.version, NEW.started_at); END IF;
  -- The device's other journeys tell who came back.
  IF TG_OP = 'DELETE' THEN PERFORM note_device(OLD.device_id); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER journey_changed AFTER INSERT OR UPDATE OR DELETE ON journeys FOR EACH ROW EXECUTE FUNCTION journey_changed();

CREATE FUNCTION visitor_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM journey_copy) THEN RETURN NULL; END IF;
  IF TG_OP = 'UPDATE' AND OLD.device_id = NEW.device_id AND OLD.visitor = NEW.visitor THEN RETURN NULL; END IF;
  IF TG_OP <> 'INSERT' THEN PERFORM note_device(OLD.device_id), note_visitor(OLD.visitor); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM note_device(NEW.device_id); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER visitor_changed AFTER INSERT OR UPDATE OR DELETE ON event_devices FOR EACH ROW EXECUTE FUNCTION visitor_changed();

CREATE FUNCTION choice_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM journey_copy) THEN RETURN NULL; END IF;
  IF TG_OP <> 'INSERT' THEN PERFORM note_device(OLD.device_id); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM note_device(NEW.device_id); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER choice_changed AFTER INSERT OR UPDATE OR DELETE ON consent_records FOR EACH ROW EXECUTE FUNCTION choice_changed();

CREATE FUNCTION purchase_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM journey_copy) THEN RETURN NULL; END IF;
  IF TG_OP <> 'INSERT' AND OLD.status = 'completed' THEN PERFORM note_visitor(OLD.account_uuid); END IF;
  IF TG_OP <> 'DELETE' AND NEW.status = 'completed' THEN PERFORM note_visitor(NEW.account_uuid); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER purchase_changed AFTER INSERT OR UPDATE OF status, account_uuid, created_at OR DELETE ON orders
  FOR EACH ROW EXECUTE FUNCTION purchase_changed();
