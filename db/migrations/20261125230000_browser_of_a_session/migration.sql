ALTER TABLE sessions ADD COLUMN browser TEXT;
