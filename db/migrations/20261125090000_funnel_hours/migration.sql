-- Closed hours of days that are not kept yet: src/server/events/funnelHours.ts.
-- One row holds an hour whole, so that one statement replaces it.
CREATE TABLE funnel_hours (
  version TEXT NOT NULL,
  -- Its beginning.
  hour BIGINT NOT NULL,
  counted_at BIGINT NOT NULL,
  -- JSON: of those who started in it, how many reached each milestone.
  milestones TEXT NOT NULL,
  -- All of its visitors: src/server/events/tally.ts.
  counts TEXT NOT NULL,
  -- JSON: the same by combination of traits.
  by_traits TEXT NOT NULL,
  PRIMARY KEY (version, hour)
);
