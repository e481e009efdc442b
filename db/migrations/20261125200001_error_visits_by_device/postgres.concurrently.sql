CREATE INDEX CONCURRENTLY client_errors_device ON client_errors (device_id);
