-- 1 where the visitor, who was erased since, had bought: their order names nobody any more (decision 213).
ALTER TABLE journeys ADD COLUMN bought SMALLINT NOT NULL DEFAULT 0;
