/** How long a mailed link opens, ms, by its purpose. Mails say it too. */
export const minute = 60_000;
export const hour = 60 * minute;
/** `change` confirms the address an account is to have, `undo` puts back the one it had. */
export const linkLife = { login: 10 * minute, reset: 30 * minute, confirm: 24 * hour, change: 24 * hour, undo: 7 * 24 * hour } as const;
export type LinkPurpose = keyof typeof linkLife;
