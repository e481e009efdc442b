const day = 24 * 60 * 60 * 1_000;

/** How long rows are kept after they have served, ms, as the privacy policy promises ("How long we keep your data"). */
export const kept = {
  links: day,
  mails: 30 * day,
  /** As long as the mails to the addresses that an account had. */
  emailChanges: 30 * day,
  events: 760 * day,
  audit: 3 * 365 * day,
  /** Longer than one can last. */
  operatorSessions: 30 * day,
  trials: 3 * 365 * day,
  /** As the privacy policy says of messages to us. */
  contractNotices: 3 * 365 * day,
  /** As long as a choice holds, and three years after. */
  consents: (3 * 365 + 184) * day,
} as const;
