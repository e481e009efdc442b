-- Which attempt used the token: its answer may have been lost (decision 228). Null for those that named none.
ALTER TABLE refresh_tokens ADD COLUMN attempt_hash TEXT;
