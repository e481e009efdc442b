-- An operator finds people by how their address or name begins, newest first.
CREATE INDEX accounts_by_start_of_email ON accounts (email COLLATE "C");
CREATE INDEX accounts_by_start_of_name ON accounts ((lower(firstname)) COLLATE "C");
CREATE INDEX accounts_by_age ON accounts (created_at, uuid);
