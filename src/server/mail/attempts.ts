/**
 * One try of a mail: claimed, sent within a deadline, and recorded. A row is claimed before it is sent, so two processes do not send it
 * twice; the claim of a dead process expires.
 */
import type { RenderedMail, RenderMail } from "#core/mail.ts";
import { isLocale } from "#core/locales.ts";
import * as v from "valibot";
import { inOwnTrace } from "../base/traces.ts";
import type { World } from "../base/world.ts";
import type { MailOutboxTable } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { isOutboxTemplate, type MailTemplate } from "./contents.ts";
import { lookOf, type MailedLinks, prepareMail } from "./prepare.ts";
import { type MailTransport, PermanentMailFailure } from "./transport.ts";

export interface Attempts {
  /** Tries a row once, unless another process has claimed it. Rejects only when the outbox cannot be written. */
  readonly make: (row: MailOutboxTable) => Promise<void>;
  /** The mail as it is sent; null when its subject no longer exists. */
  readonly render: (row: MailOutboxTable, links?: MailedLinks) => Promise<RenderedMail | null>;
  /** Aborts the tries in progress. */
  readonly abort: () => void;
}

export interface AttemptParts {
  readonly store: Store;
  readonly world: World;
  /** Origin of the site, from configuration: no mail's link ever depends on a request. */
  readonly publicUrl: string;
  readonly namedBackend: string | null;
  readonly mailFrom: string;
  readonly links: MailedLinks;
  readonly renderMail: RenderMail<MailTemplate>;
  readonly transport: MailTransport;
  /** Time limit of one try, ms. */
  readonly tryAtMostMs?: number;
  readonly log: { readonly warn: (details: object, message: string) => void; readonly error: (details: object, message: string) => void };
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const defaultTryAtMostMs = 30 * secondMs;
/** Longer than a try can take. */
const claimMs = 2 * minuteMs;
/** The wait after each failed try. After the last one the mail is given up. */
const retryAfterMs = [30 * secondMs, 2 * minuteMs, 10 * minuteMs, hourMs, 4 * hourMs, 12 * hourMs] as const;
/** The longest time until a mail is due again, by the number of its tries: until its claim expires, or until the next try. */
export const longestWaits = [0, claimMs, ...retryAfterMs.slice(1)] as const;

/** The outbox's reason for not sending a mail that nobody needs: its link is void, or a newer mail has replaced it. */
export const aboutNothing = "What it is about is gone.";

/** The reason for a failure, without the recipient's address: mail servers include it in their answers, and the log must not. */
function reasonOf(error: unknown, recipient: string): string {
  const said = (error instanceof Error ? error.message : String(error)).slice(0, 500);
  return said.replaceAll(new RegExp(RegExp.escape(recipient), "gi"), "(recipient)");
}

export function createAttempts(parts: AttemptParts): Attempts {
  const { store, world, renderMail, transport, log } = parts;
  const domain = parts.mailFrom.slice(parts.mailFrom.lastIndexOf("@") + 1).replace(/>$/, "");

  const ending = new AbortController();
  async function withinDeadline(send: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const signal = AbortSignal.any([AbortSignal.timeout(parts.tryAtMostMs ?? defaultTryAtMostMs), ending.signal]);
    const late = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => late.reject(signal.reason), { once: true });
    await Promise.race([send(signal), late.promise]);
  }

  async function render(row: MailOutboxTable, links = parts.links): Promise<RenderedMail | null> {
    if (!isOutboxTemplate(row.template)) throw new PermanentMailFailure(`There is no mail ${row.template}.`);
    const locale = isLocale(row.locale) ? row.locale : "es-419";
    const stored: unknown = JSON.parse(row.data);
    const { publicUrl, namedBackend } = parts;
    const source = { queries: store.read, links, publicUrl, namedBackend, accountUuid: row.account_uuid, locale };
    const prepared = await prepareMail(row.template, source, stored);
    return prepared === null ? null : renderMail(prepared.template, locale, prepared.data, await lookOf(source));
  }

  async function sendOne(row: MailOutboxTable): Promise<void> {
    const rendered = await render(row);
    if (rendered === null) throw new PermanentMailFailure(aboutNothing);
    const language = isLocale(row.locale) ? row.locale : "es-419";
    await withinDeadline((signal) =>
      transport.send({ messageId: `<${row.id}@${domain}>`, from: parts.mailFrom, to: row.recipient, ...rendered, language }, signal),
    );
  }

  const finish = (
    id: string,
    changes: Partial<Pick<MailOutboxTable, "sent_at" | "next_attempt_at" | "error">>,
    ofAttempt: number | null = null,
  ) =>
    store.write((queries) => {
      const row = queries.updateTable("mail_outbox").set(changes).where("id", "=", id);
      return (ofAttempt === null ? row : row.where("attempts", "=", ofAttempt)).execute();
    });

  /** Deletes the mail that has confirmed an erasure: it names the erased person. */
  const forget = (id: string) => store.write((queries) => queries.deleteFrom("mail_outbox").where("id", "=", id).execute());

  async function make(row: MailOutboxTable): Promise<void> {
    const due = row.next_attempt_at;
    const attempts = row.attempts + 1;
    const claimed = await store.write((queries) =>
      queries
        .updateTable("mail_outbox")
        .set({ attempts, next_attempt_at: world.now() + claimMs })
        .where("id", "=", row.id)
        .where("next_attempt_at", "=", due)
        .where("attempts", "=", row.attempts)
        .executeTakeFirst(),
    );
    if (claimed.numUpdatedRows === 0n) return;
    try {
      await inOwnTrace("mail", "client", { "parlando.mail": row.id, "parlando.template": row.template }, () => sendOne(row));
      if (row.template === "erased") await forget(row.id);
      else await finish(row.id, { sent_at: world.now(), next_attempt_at: null, error: null });
    } catch (error) {
      const wait = error instanceof PermanentMailFailure || error instanceof v.ValiError ? undefined : retryAfterMs[row.attempts];
      const reason = reasonOf(error, row.recipient);
      // If the claim has expired meanwhile, the result of the process that took over counts.
      await finish(row.id, { next_attempt_at: wait === undefined ? null : world.now() + wait, error: reason }, attempts);
      if (wait === undefined) log.error({ mail: row.id, template: row.template, reason }, "A mail was given up.");
      else log.warn({ mail: row.id, template: row.template, reason }, "A mail could not be sent yet.");
    }
  }

  return { make, render, abort: () => ending.abort(new Error("The process ended.")) };
}
