-- The latest choice of an account or a device (src/server/conversions/marketingConsent.ts), however many it has sent.
CREATE INDEX consent_records_of_account ON consent_records (account_uuid, received_at);
CREATE INDEX consent_records_of_device ON consent_records (device_id, received_at);
