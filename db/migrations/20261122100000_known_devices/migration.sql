-- Whose request a mailed link answers (keyed hash of a device or a network): another's request ends nobody's link.
ALTER TABLE link_tokens ADD COLUMN asked_by TEXT NOT NULL DEFAULT '';
-- Part of what a device's proof is signed with: a new one makes the proofs of all devices worthless.
ALTER TABLE accounts ADD COLUMN trust_epoch TEXT NOT NULL DEFAULT '';
