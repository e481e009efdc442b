import { askedLinkLife } from "#core/links.ts";

/** How long a mailed link works, ms, by purpose. The mails state it too. */
export const minute = 60_000;
export const hour = 60 * minute;
/** `change` confirms an account's new address, `undo` restores the old one, and `keep` revokes a cancellation until the term ends. */
export const linkLife = {
  ...askedLinkLife,
  confirm: 24 * hour,
  change: 24 * hour,
  undo: 7 * 24 * hour,
  keep: 366 * 24 * hour,
} as const;
export type LinkPurpose = keyof typeof linkLife;
