-- Days of the funnel that were counted already: src/server/events/funnelDays.ts.
-- A day is counted anew in another edition; the one that `funnel_days` names is read, and the others are deleted.
CREATE TABLE funnel_days (
  version TEXT NOT NULL,
  -- Its midnight, UTC.
  day BIGINT NOT NULL,
  -- 0 while few started on it: then their journeys are read.
  edition BIGINT NOT NULL,
  counted_at BIGINT,
  -- When a journey of the day last changed after it was counted.
  touched_at BIGINT,
  -- By hour of the start: visitors, those who answered, those who bought.
  hours TEXT NOT NULL,
  PRIMARY KEY (version, day)
);
CREATE TABLE funnel_day_counts (
  version TEXT NOT NULL,
  day BIGINT NOT NULL,
  edition BIGINT NOT NULL,
  -- 1: all visitors of the day; 0: those with these traits, '' where one is not known.
  whole INTEGER NOT NULL,
  locale TEXT NOT NULL,
  country TEXT NOT NULL,
  platform TEXT NOT NULL,
  campaign TEXT NOT NULL,
  came TEXT NOT NULL,
  consent TEXT NOT NULL,
  visitors BIGINT NOT NULL,
  -- src/server/events/tally.ts
  counts TEXT NOT NULL,
  PRIMARY KEY (version, day, edition, whole, locale, country, platform, campaign, came, consent)
);
