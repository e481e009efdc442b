/** Which addresses reach the same mailbox: a dot or a plus does not make another person (decision 085). */
import { inOneSpelling } from "../store/spelling.ts";

interface MailboxRule {
  readonly domain: RegExp;
  /** The domain to use where several reach the same mailbox. */
  readonly as?: string;
  /** Characters that are ignored before the @. A plus and what follows it are always ignored. */
  readonly ignored?: RegExp;
}

/** Mail providers that document such rules. For all others, every address is a mailbox of its own. */
const rules: readonly MailboxRule[] = [
  { domain: /^(?:gmail|googlemail)\.com$/, as: "gmail.com", ignored: /\./g },
  { domain: /^(?:icloud|me|mac)\.com$/, as: "icloud.com" },
  { domain: /^(?:proton\.me|protonmail\.com|pm\.me)$/, as: "proton.me", ignored: /[._-]/g },
  { domain: /^(?:outlook|hotmail|live)\.(?:com?\.)?[a-z]{2,3}$/ },
  { domain: /^(?:msn|fastmail)\.com$/ },
];

/** The address of the mailbox that an address reaches. */
export function mailboxOf(email: string): string {
  const spelled = inOneSpelling(email.trim()).toLowerCase();
  const at = spelled.lastIndexOf("@");
  const [name, domain] = [spelled.slice(0, at), spelled.slice(at + 1)];
  const rule = rules.find(({ domain: pattern }) => pattern.test(domain));
  if (rule === undefined) return spelled;
  const plus = name.indexOf("+");
  const own = plus > 0 ? name.slice(0, plus) : name;
  return `${rule.ignored === undefined ? own : own.replace(rule.ignored, "")}@${rule.as ?? domain}`;
}

/**
 * The key of limits on mails to a mailbox. A plus and what follows it are ignored at every domain, because most mail servers deliver such addresses to
 * one mailbox. Two people whose addresses differ only there share a limit, which costs them little. Trials do not use this key: they would share one.
 */
export function floodableMailboxOf(email: string): string {
  const mailbox = mailboxOf(email);
  const at = mailbox.lastIndexOf("@");
  const plus = mailbox.indexOf("+");
  return plus > 0 && plus < at ? mailbox.slice(0, plus) + mailbox.slice(at) : mailbox;
}
