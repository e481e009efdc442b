-- Hours of a kept day have more milestones (src/server/events/milestones.ts): every day is counted once more.
-- few rows: one a version and day.
UPDATE funnel_days SET counted_at = NULL;
