-- Who is on site now is asked every few seconds.
CREATE INDEX journeys_by_last_event ON journeys (last_at);
