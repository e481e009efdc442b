-- The granted days, for the reminders of charges, which look for them every minute: they would read all that the providers have reported.
CREATE INDEX provider_facts_granted ON provider_facts (payment_provider, subscription_id) WHERE id LIKE 'gift-%';
