-- Each new challenge deletes the expired ones (src/server/studio/operators/challenges.ts), and anybody can ask for one.
CREATE INDEX CONCURRENTLY operator_challenges_by_expiry ON operator_challenges (expires_at);
