-- What each product cost since when: a struck-out price in the EU is the lowest of the last thirty days (decision 192).
CREATE TABLE asked_prices (
  product_id TEXT NOT NULL,
  since BIGINT NOT NULL,
  -- Minor units; null while it was not sold.
  price BIGINT,
  PRIMARY KEY (product_id, since)
);
