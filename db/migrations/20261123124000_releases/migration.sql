-- What visitors can be given: each version as it was shipped, by the SHA-256 of its canonical JSON. Rows are only added.
CREATE TABLE releases (
  hash TEXT PRIMARY KEY,
  version TEXT NOT NULL,
  -- Of the version: 1, 2, 3, … in the order in which they came.
  number INTEGER NOT NULL,
  bundle TEXT NOT NULL,
  at BIGINT NOT NULL
);
CREATE UNIQUE INDEX releases_number ON releases (version, number);

-- What the checker found in a release, by the code that looked (JSON).
CREATE TABLE release_proofs (
  hash TEXT NOT NULL,
  code TEXT NOT NULL,
  proof TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (hash, code)
);

-- The weights that a locale's visitors are drawn by (JSON, by version). Rows are only added; the highest number counts.
CREATE TABLE rollouts (
  locale TEXT NOT NULL,
  number INTEGER NOT NULL,
  weights TEXT NOT NULL,
  -- Null: the settings (RAFFLE) and the defaults of the versions.
  operator_name TEXT,
  reason TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (locale, number)
);
