-- An operator finds people by how their name begins, newest first; addresses have an index.
CREATE INDEX accounts_by_start_of_name ON accounts (lower(firstname));
CREATE INDEX accounts_by_age ON accounts (created_at, uuid);
