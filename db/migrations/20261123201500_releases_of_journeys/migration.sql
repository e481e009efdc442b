-- The release on which a journey began: the first letters of its hash (src/core/release.ts); null where the page did not say.
ALTER TABLE journeys ADD COLUMN release TEXT;
-- Days are told apart by release, too. What was kept is counted anew from the journeys.
DROP TABLE funnel_day_counts;
DELETE FROM funnel_days;
CREATE TABLE funnel_day_counts (
  version TEXT NOT NULL,
  day BIGINT NOT NULL,
  edition BIGINT NOT NULL,
  -- 1: all visitors of the day; 0: those with these traits, '' where one is not known.
  whole INTEGER NOT NULL,
  release TEXT NOT NULL DEFAULT '',
  locale TEXT NOT NULL,
  country TEXT NOT NULL,
  platform TEXT NOT NULL,
  campaign TEXT NOT NULL,
  came TEXT NOT NULL,
  consent TEXT NOT NULL,
  visitors BIGINT NOT NULL,
  -- src/server/events/tally.ts
  counts TEXT NOT NULL,
  PRIMARY KEY (version, day, edition, whole, release, locale, country, platform, campaign, came, consent)
);
