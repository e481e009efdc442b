-- One file has no partitions: retention deletes its rows.
SELECT 1;
