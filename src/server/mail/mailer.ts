/**
 * Sends what lies in the outbox. A row is claimed before it is sent, so two processes do not send it twice; a claim that
 * a dead process left behind runs out. At least once: a mail whose acknowledgement was lost may come again, under the
 * same Message-ID. A few go at once, each with a deadline, so that a slow server or recipient holds nobody else (decision 083).
 */
import type { Theme } from "#core/questionnaire/definition.ts";
import { brand } from "#content/brand.ts";
import { isVersionName, traitsOf } from "#content/questionnaires/known.ts";
import { isLocale, type Locale } from "#core/locales.ts";
import { buildPath } from "#core/routes.ts";
import { sql } from "kysely";
import * as v from "valibot";
import type { World } from "../base/world.ts";
import { createRounds } from "../base/rounds.ts";
import type { MailOutboxTable, Queries } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { endLongWaits } from "../store/waits.ts";
import { isOutboxTemplate, type MailData, type MailTemplate, outboxSchemas, type OutboxTemplate } from "./contents.ts";
import type { RenderMail } from "#core/mail.ts";
import { type MailTransport, mailsAtOnce, PermanentMailFailure } from "./transport.ts";

export interface Mailer {
  /** Rows were added: look now instead of at the next round. */
  readonly wake: () => void;
  /** Looks every few seconds, for retries and for rows of other processes. */
  readonly start: () => void;
  /** Resolves when everything that is due has been tried. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Of a link by its id; null once it no longer stands. */
interface MailedLinks {
  readonly tokenOf: (queries: Queries, linkId: string) => Promise<string | null>;
  readonly codeOf: (queries: Queries, linkId: string) => Promise<string | null>;
}

export interface MailerParts {
  readonly store: Store;
  readonly world: World;
  /** Origin of the site, from configuration: no mail's link ever depends on a request. */
  readonly publicUrl: string;
  readonly mailFrom: string;
  readonly links: MailedLinks;
  readonly renderMail: RenderMail<MailTemplate>;
  readonly transport: MailTransport;
  /** How long one try may take, ms. */
  readonly tryAtMostMs?: number;
  readonly log: { readonly warn: (details: object, message: string) => void; readonly error: (details: object, message: string) => void };
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const lookEveryMs = 5 * secondMs;
const defaultTryAtMostMs = 30 * secondMs;
/** Longer than a try can take. */
const claimMs = 2 * minuteMs;
/** At its end a process gives its tries so long. */
const stopWithinMs = 5 * secondMs;
/** Of one recipient's domain: what is slow there leaves the others their places. */
const atOncePerDomain = 3;
/** The wait after each failed try; after the last one the mail is given up. */
const retryAfterMs = [30 * secondMs, 2 * minuteMs, 10 * minuteMs, hourMs, 4 * hourMs, 12 * hourMs] as const;
/** By how often a mail was tried: none waits longer than for a claim to run out, or for its next try. */
const longestWaits = [0, claimMs, ...retryAfterMs.slice(1)] as const;

type Prepared = { readonly [T in MailTemplate]: { readonly template: T; readonly data: MailData<T> } }[MailTemplate];

/** Why a mail was not taken. Mail servers say whom they refuse; logs name nobody. */
function reasonOf(error: unknown, recipient: string): string {
  const said = (error instanceof Error ? error.message : String(error)).slice(0, 500);
  return said.replaceAll(new RegExp(RegExp.escape(recipient), "gi"), "(recipient)");
}

export function createMailer(parts: MailerParts): Mailer {
  const { store, world, publicUrl, links, renderMail, transport, log } = parts;
  const domain = parts.mailFrom.slice(parts.mailFrom.lastIndexOf("@") + 1).replace(/>$/, "");

  /** What a page that a mail leads to wears, in whichever browser: the theme of the account's funnel (`web/look.ts`). */
  async function themeOf(accountUuid: string | null): Promise<{ readonly look?: Theme }> {
    const account = await store.read
      .selectFrom("accounts")
      .select("questionnaire_version as version")
      .where("uuid", "=", accountUuid)
      .executeTakeFirst();
    return account !== undefined && isVersionName(account.version) ? { look: traitsOf(account.version).theme } : {};
  }

  /** A mail's data with its addresses; null when what it is about is gone, such as a link that a newer mail replaced. */
  async function prepare(
    { template, accountUuid }: { readonly template: OutboxTemplate; readonly accountUuid: string | null },
    locale: Locale,
    stored: unknown,
  ): Promise<Prepared | null> {
    switch (template) {
      case "confirmEmail": {
        const { firstname, linkId, changeId } = v.parse(outboxSchemas.confirmEmail, stored);
        const token = await links.tokenOf(store.read, linkId);
        if (token === null) return null;
        const query = new URLSearchParams({ platform: "web", confirm_token: token, ...(await themeOf(accountUuid)) });
        const link = `${publicUrl}${buildPath("link/confirm-email", locale)}?${query}`;
        return changeId === undefined ? { template, data: { firstname, link } } : { template: "confirmChange", data: { link } };
      }
      case "loginLink": {
        const { firstname, linkId, target, discount } = v.parse(outboxSchemas.loginLink, stored);
        const token = await links.tokenOf(store.read, linkId);
        const code = await links.codeOf(store.read, linkId);
        if (token === null) return null;
        const query = new URLSearchParams({
          token,
          ...(target === null ? {} : { target }),
          ...(discount === null ? {} : { discount }),
          ...(await themeOf(accountUuid)),
        });
        return { template, data: { firstname, link: `${publicUrl}${buildPath("link/login", locale)}?${query}`, code } };
      }
      case "loginUnknown":
        return { template, data: { link: `${publicUrl}${buildPath("questionnaire/raffle", locale)}` } };
      case "resetPassword": {
        const { firstname, linkId, target } = v.parse(outboxSchemas.resetPassword, stored);
        const token = await links.tokenOf(store.read, linkId);
        if (token === null) return null;
        const query = new URLSearchParams({ token, ...(target === null ? {} : { target }) });
        return { template, data: { firstname, link: `${publicUrl}${buildPath("app/forgot-password", locale)}?${query}` } };
      }
      case "passwordChanged": {
        const { firstname } = v.parse(outboxSchemas.passwordChanged, stored);
        return { template, data: { firstname, link: `${publicUrl}${buildPath("forgot-password", locale)}` } };
      }
      case "emailChanged": {
        const { firstname } = v.parse(outboxSchemas.emailChanged, stored);
        return { template, data: { firstname, link: `mailto:${brand.company.email}` } };
      }
      case "emailChange": {
        const { firstname, linkId } = v.parse(outboxSchemas.emailChange, stored);
        const token = await links.tokenOf(store.read, linkId);
        if (token === null) return null;
        const query = new URLSearchParams({ token, ...(await themeOf(accountUuid)) });
        return { template, data: { firstname, link: `${publicUrl}${buildPath("link/undo-email", locale)}?${query}` } };
      }
      case "receipt":
        return {
          template,
          data: {
            ...v.parse(outboxSchemas.receipt, stored),
            appLink: `${publicUrl}${buildPath("app/dashboard", locale)}`,
            manageLink: `${publicUrl}${buildPath("handle-your-subscription", locale)}`,
          },
        };
      case "cancelled":
        return {
          template,
          data: { ...v.parse(outboxSchemas.cancelled, stored), link: `${publicUrl}${buildPath("handle-your-subscription", locale)}` },
        };
      case "chargeReminder":
        return {
          template,
          data: { ...v.parse(outboxSchemas.chargeReminder, stored), link: `${publicUrl}${buildPath("handle-your-subscription", locale)}` },
        };
      case "planKept": {
        const { version, question, ...data } = v.parse(outboxSchemas.planKept, stored);
        return { template, data: { ...data, link: `${publicUrl}${buildPath("questionnaire/question", locale, { version, question })}` } };
      }
      case "planNews":
        return {
          template,
          data: { ...v.parse(outboxSchemas.planNews, stored), link: `${publicUrl}${buildPath("handle-your-subscription", locale)}` },
        };
      case "erased":
        return { template, data: v.parse(outboxSchemas.erased, stored) };
      case "emailIsNew": {
        const { firstname } = v.parse(outboxSchemas.emailIsNew, stored);
        return { template, data: { firstname, link: `${publicUrl}${buildPath("handle-your-subscription/account", locale)}` } };
      }
      case "payLink": {
        const { firstname, url } = v.parse(outboxSchemas.payLink, stored);
        return { template, data: { firstname, link: url } };
      }
    }
  }

  const ending = new AbortController();
  async function withinDeadline(send: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const signal = AbortSignal.any([AbortSignal.timeout(parts.tryAtMostMs ?? defaultTryAtMostMs), ending.signal]);
    const late = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => late.reject(signal.reason), { once: true });
    await Promise.race([send(signal), late.promise]);
  }

  async function sendOne(row: MailOutboxTable): Promise<void> {
    if (!isOutboxTemplate(row.template)) throw new PermanentMailFailure(`There is no mail ${row.template}.`);
    const locale = isLocale(row.locale) ? row.locale : "es-419";
    const stored: unknown = JSON.parse(row.data);
    const prepared = await prepare({ template: row.template, accountUuid: row.account_uuid }, locale, stored);
    if (prepared === null) throw new PermanentMailFailure("What it is about is gone.");
    const rendered = await renderMail(prepared.template, locale, prepared.data);
    await withinDeadline((signal) =>
      transport.send(
        { messageId: `<${row.id}@${domain}>`, from: parts.mailFrom, to: row.recipient, ...rendered, language: locale },
        signal,
      ),
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

  /** Of who has erased their account nothing stays, not even the mail that said so. */
  const forget = (id: string) => store.write((queries) => queries.deleteFrom("mail_outbox").where("id", "=", id).execute());

  async function tryRow(row: MailOutboxTable): Promise<void> {
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
      await sendOne(row);
      if (row.template === "erased") await forget(row.id);
      else await finish(row.id, { sent_at: world.now(), next_attempt_at: null, error: null });
    } catch (error) {
      const wait = error instanceof PermanentMailFailure || error instanceof v.ValiError ? undefined : retryAfterMs[row.attempts];
      const reason = reasonOf(error, row.recipient);
      // If the claim ran out, another's try says how it went.
      await finish(row.id, { next_attempt_at: wait === undefined ? null : world.now() + wait, error: reason }, attempts);
      if (wait === undefined) log.error({ mail: row.id, template: row.template, reason }, "A mail was given up.");
      else log.warn({ mail: row.id, template: row.template, reason }, "A mail could not be sent yet.");
    }
  }

  const domainOf = (recipient: string) => recipient.slice(recipient.lastIndexOf("@") + 1);
  /** Whom the tries that go on now are for. */
  const underway = new Map<Promise<void>, string>();
  const toDomain = (name: string) => [...underway.values()].filter((recipient) => domainOf(recipient) === name).length;
  const isFree = (recipient: string) =>
    underway.size < mailsAtOnce && ![...underway.values()].includes(recipient) && toDomain(domainOf(recipient)) < atOncePerDomain;

  /** What is due and for nobody who has as many tries as may be. */
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
    const trying = tryRow(row).then(
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
      const patience = setTimeout(() => ending.abort(new Error("The process ended.")), stopWithinMs);
      await Promise.all(underway.keys());
      clearTimeout(patience);
      transport.close();
    },
  };
}
