-- What is limited and must be counted over all processes. Keys are hashes; rows that are over are deleted after an hour.
CREATE TABLE limit_counts (
  key TEXT PRIMARY KEY,
  points BIGINT NOT NULL DEFAULT 0,
  expire BIGINT
);
CREATE INDEX limit_counts_expire ON limit_counts (expire);
