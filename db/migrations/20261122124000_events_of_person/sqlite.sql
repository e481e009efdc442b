-- Events from before signing up name the account in their payload alone.
CREATE INDEX events_of_person ON events (json_extract(payload, '$.uuid'), id);
