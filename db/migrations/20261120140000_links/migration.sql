-- Tries of the six-digit code that a login mail carries beside its link; it is dead after five.
ALTER TABLE link_tokens ADD COLUMN code_tries INTEGER NOT NULL DEFAULT 0;
-- 'password' or 'link': an account may be erased from a session that a link began a moment ago.
ALTER TABLE sessions ADD COLUMN entered_by TEXT NOT NULL DEFAULT 'password';
