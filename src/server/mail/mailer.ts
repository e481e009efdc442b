/**
 * Sends the mails in the outbox, each at least once: a mail whose acknowledgement was lost is sent again, under the same Message-ID.
 * Several are sent at the same time, each with a deadline, so that a slow server or recipient delays nobody else (decision 083).
 */
import type { RenderedMail } from "#core/mail.ts";
import { createRounds } from "../base/rounds.ts";
import type { MailOutboxTable } from "../store/schema.ts";
import { endLongWaits } from "../store/waits.ts";
import * as v from "valibot";
import type { MailedLinks } from "./prepare.ts";
import { type AttemptParts, createAttempts, longestWaits } from "./attempts.ts";
import { mailLanes } from "./outbox.ts";
import { mailsAtOnce } from "./transport.ts";

export interface Mailer {
  /** Looks for new rows now instead of in the next round. */
  readonly wake: () => void;
  /** A mail as it is or was sent, with links and codes that do not work. Null when its subject no longer exists. */
  readonly covered: (row: MailOutboxTable) => Promise<RenderedMail | null>;
  /** Starts looking every few seconds, for retries and for rows of other processes. */
  readonly start: () => void;
  /** Resolves when everything that is due has been tried. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const lookEveryMs = 5_000;
/** How long a stopping process waits for its tries. */
const stopWithinMs = 5_000;
/** Most tries at the same time for one domain, so that a slow one leaves places for others. */
const atOncePerDomain = 3;
/** How many due mails of a lane one look covers. */
const lookedAt = 500;

const domainOf = (recipient: string) => recipient.slice(recipient.lastIndexOf("@") + 1);

export type MailerParts = AttemptParts;

const hidden = "hidden";
/** Replace the real secrets, so that nobody who looks at a mail can use its links. */
const coveredLinks: MailedLinks = {
  tokenOf: async () => hidden,
  codeOf: async () => "••••••",
  studioAddressOf: async () => `https://${hidden}.invalid/`,
};
const paying = v.object({ url: v.pipe(v.string(), v.url()) });

/** Replaces a checkout's address, because everybody who knows it can open the checkout. */
function coveredRow(row: MailOutboxTable): MailOutboxTable {
  if (row.template !== "payLink") return row;
  const data: unknown = JSON.parse(row.data);
  const url = new URL(`/${hidden}`, v.parse(paying, data).url).href;
  return { ...row, data: JSON.stringify({ ...(data as object), url }) };
}

export function createMailer(parts: MailerParts): Mailer {
  const { store, world, transport, log } = parts;
  const attempts = createAttempts(parts);
  /** The recipients of the tries in progress. */
  const underway = new Map<Promise<void>, string>();
  const toDomain = (name: string) => [...underway.values()].filter((recipient) => domainOf(recipient) === name).length;
  const isFree = (recipient: string) =>
    underway.size < mailsAtOnce && ![...underway.values()].includes(recipient) && toDomain(domainOf(recipient)) < atOncePerDomain;

  const due = () => store.read.selectFrom("mail_outbox").where("next_attempt_at", "<=", world.now()).orderBy("next_attempt_at");
  /**
   * The mails of a lane that are due and whose recipient and domain are free. In a long lane it looks only at the first mails, because this
   * runs after each mail: searching all mails of a flood would occupy the process.
   */
  async function freeRows(lane: number): Promise<readonly MailOutboxTable[]> {
    const first = await due().select(["id", "recipient"]).where("lane", "=", lane).limit(lookedAt).execute();
    const ids = first.filter(({ recipient }) => isFree(recipient)).map(({ id }) => id);
    if (ids.length === 0) return [];
    // Another process may have claimed some of them meanwhile. They are no longer due.
    return due().selectAll().where("id", "in", ids.slice(0, mailsAtOnce)).execute();
  }

  function begin(row: MailOutboxTable): void {
    const trying = attempts.make(row).then(
      () => {
        underway.delete(trying);
        rounds.wake();
      },
      (error: unknown) => {
        // The next round looks again, so an unavailable database is not queried without pause.
        underway.delete(trying);
        log.error({ err: error, mail: row.id }, "The outbox could not be written.");
      },
    );
    underway.set(trying, row.recipient);
  }

  async function sendDue(): Promise<void> {
    while (underway.size < mailsAtOnce && !rounds.stopped()) {
      const before = underway.size;
      // A recipient who becomes free meanwhile waits for the next pass, which begins with the first lane.
      const seen = new Set(underway.values());
      for (const lane of Object.values(mailLanes)) {
        if (underway.size >= mailsAtOnce) break;
        for (const row of await freeRows(lane))
          if (isFree(row.recipient) && !seen.has(row.recipient) && !rounds.stopped()) {
            seen.add(row.recipient);
            begin(row);
          }
      }
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
