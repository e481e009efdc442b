/**
 * Sends the mails in the outbox, each at least once: one whose acknowledgement was lost comes again, under the same Message-ID. Several are sent
 * at the same time, each with a deadline, so that a slow server or recipient holds up nobody else (decision 083).
 */
import type { RenderedMail } from "#core/mail.ts";
import { sql } from "kysely";
import { createRounds } from "../base/rounds.ts";
import type { MailOutboxTable } from "../store/schema.ts";
import { endLongWaits } from "../store/waits.ts";
import * as v from "valibot";
import type { MailedLinks } from "./prepare.ts";
import { type AttemptParts, createAttempts, longestWaits } from "./attempts.ts";
import { mailsAtOnce } from "./transport.ts";

export interface Mailer {
  /** Rows were added: look now instead of at the next round. */
  readonly wake: () => void;
  /** A mail as it is or was sent, but with links and codes that open nothing. Null when what it is about is gone. */
  readonly covered: (row: MailOutboxTable) => Promise<RenderedMail | null>;
  /** Looks every few seconds, for retries and for rows of other processes. */
  readonly start: () => void;
  /** Resolves when everything that is due has been tried. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const lookEveryMs = 5_000;
/** How long a process that ends waits for its tries. */
const stopWithinMs = 5_000;
/** Tries at the same time for one domain: a slow one leaves places for the others. */
const atOncePerDomain = 3;

const domainOf = (recipient: string) => recipient.slice(recipient.lastIndexOf("@") + 1);

export type MailerParts = AttemptParts;

const hidden = "hidden";
/** Stand in the place of the real secrets, so that nobody who looks at a mail can use its links. */
const coveredLinks: MailedLinks = {
  tokenOf: async () => hidden,
  codeOf: async () => "••••••",
  studioAddressOf: async () => `https://${hidden}.invalid/`,
};
const paying = v.object({ url: v.pipe(v.string(), v.url()) });

/** A checkout opens for everybody who has its address, so the address is replaced. */
function coveredRow(row: MailOutboxTable): MailOutboxTable {
  if (row.template !== "payLink") return row;
  const data: unknown = JSON.parse(row.data);
  const url = new URL(`/${hidden}`, v.parse(paying, data).url).href;
  return { ...row, data: JSON.stringify({ ...(data as object), url }) };
}

export function createMailer(parts: MailerParts): Mailer {
  const { store, world, transport, log } = parts;
  const attempts = createAttempts(parts);
  /** The recipients of the tries under way. */
  const underway = new Map<Promise<void>, string>();
  const toDomain = (name: string) => [...underway.values()].filter((recipient) => domainOf(recipient) === name).length;
  const isFree = (recipient: string) =>
    underway.size < mailsAtOnce && ![...underway.values()].includes(recipient) && toDomain(domainOf(recipient)) < atOncePerDomain;

  /** Mails that are due, except for recipients who are being sent one and for domains that have all their places. */
  async function dueRows(): Promise<readonly MailOutboxTable[]> {
    const recipients = [...new Set(underway.values())];
    const full = [...new Set(recipients.map(domainOf))].filter((name) => toDomain(name) >= atOncePerDomain);
    let query = store.read
      .selectFrom("mail_outbox")
      .selectAll()
      .where("next_attempt_at", "<=", world.now())
      .orderBy("next_attempt_at")
      .limit(mailsAtOnce);
    if (recipients.length > 0) query = query.where("recipient", "not in", recipients);
    for (const name of full)
      query = query.where(sql<boolean>`substr(recipient, length(recipient) - ${sql.lit([...name].length)}) <> ${`@${name}`}`);
    return query.execute();
  }

  function begin(row: MailOutboxTable): void {
    const trying = attempts.make(row).then(
      () => {
        underway.delete(trying);
        rounds.wake();
      },
      (error: unknown) => {
        // The next round looks again: a database that is away is not asked without end.
        underway.delete(trying);
        log.error({ err: error, mail: row.id }, "The outbox could not be written.");
      },
    );
    underway.set(trying, row.recipient);
  }

  async function sendDue(): Promise<void> {
    while (underway.size < mailsAtOnce && !rounds.stopped()) {
      const before = underway.size;
      for (const row of await dueRows()) if (isFree(row.recipient) && !rounds.stopped()) begin(row);
      if (underway.size <= before) return;
    }
  }

  const rounds = createRounds(sendDue, (error) => log.error({ err: error }, "The outbox could not be read."));

  return {
    wake: rounds.wake,
    covered: (row) => attempts.render(coveredRow(row), coveredLinks),
    start: () =>
      rounds.start(lookEveryMs, () => {
        void endLongWaits(store, world.now(), "mail_outbox", longestWaits)
          .catch((error: unknown) => log.error({ err: error }, "The outbox could not be read."))
          .finally(rounds.wake);
      }),
    settled: async () => {
      for (let running = rounds.running(); running !== null || underway.size > 0; running = rounds.running())
        await (running ?? Promise.race(underway.keys()));
    },
    stop: async () => {
      await rounds.stop();
      const patience = setTimeout(attempts.abort, stopWithinMs);
      await Promise.all(underway.keys());
      clearTimeout(patience);
      transport.close();
    },
  };
}
