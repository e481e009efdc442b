-- Which process is at a task that one at a time does. A row runs out when its process was killed.
CREATE TABLE task_leases (
  task TEXT PRIMARY KEY,
  -- Chosen anew each time.
  holder TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);
