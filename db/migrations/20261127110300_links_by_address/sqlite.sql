-- The links to an address, with whose codes a try is compared (src/server/mail/links.ts): anybody can try one.
CREATE INDEX link_tokens_by_address ON link_tokens (email, purpose);
