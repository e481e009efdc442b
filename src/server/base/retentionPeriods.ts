const day = 24 * 60 * 60 * 1_000;

/** How long rows are kept after their last use, ms, as the privacy policy promises ("How long we keep your data"). */
export const retentionPeriods = {
  links: day,
  mails: 30 * day,
  /** As long as mails, because these rows hold an account's earlier addresses. */
  emailChanges: 30 * day,
  /** The maximum, on PostgreSQL: a month is dropped when its first day is this old (events/months.ts). */
  events: 760 * day,
  /** How long journeys' changes are recorded for a ClickHouse that no process is configured to use. */
  unusedCopy: 30 * day,
  audit: 3 * 365 * day,
  /** Longer than any session lasts. */
  operatorSessions: 30 * day,
  trials: 3 * 365 * day,
  /** The same as the privacy policy says about messages to us. */
  contractNotices: 3 * 365 * day,
  /** As long as the choice holds, plus three years. */
  consents: (3 * 365 + 184) * day,
} as const;
