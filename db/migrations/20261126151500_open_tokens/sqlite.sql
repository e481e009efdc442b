-- The list of open sessions needs the newest token of each (src/server/accounts/sessions.ts); the used ones stay for a month.
CREATE INDEX refresh_tokens_open ON refresh_tokens (session_id) WHERE used_at IS NULL;
