const day = 24 * 60 * 60 * 1_000;

/** How long rows are kept after use, ms, as the privacy policy promises ("How long we keep your data"). */
export const retentionPeriods = {
  links: day,
  mails: 30 * day,
  /** The same as mails, because these rows hold earlier addresses of an account. */
  emailChanges: 30 * day,
  /** At most, on PostgreSQL: a month goes when its first day is as old (events/months.ts). */
  events: 760 * day,
  /** Changes of journeys are noted so long for a ClickHouse that no process is set to. */
  unusedCopy: 30 * day,
  audit: 3 * 365 * day,
  /** Longer than any session lasts. */
  operatorSessions: 30 * day,
  trials: 3 * 365 * day,
  /** As the privacy policy says about messages to us. */
  contractNotices: 3 * 365 * day,
  /** For as long as a choice holds, and three years more. */
  consents: (3 * 365 + 184) * day,
} as const;
