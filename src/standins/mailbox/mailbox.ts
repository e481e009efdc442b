/** The development mailbox: stores every mail instead of sending it and shows them at `/dev/mail`. Never in production. */
import type { FastifyInstance, FastifyReply } from "fastify";
import * as v from "valibot";
import { escapeHtml } from "#core/escapeHtml.ts";
import { openRecords, type Records } from "../records.ts";

interface KeptMail {
  readonly id: string;
  /** ISO 8601 */
  readonly at: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly language: string;
  readonly attachments: readonly { readonly filename: string; readonly contentType: string; readonly content: string }[];
}

/** What a domain's mail server does with mails: takes them, puts them off, or refuses them for good. */
type DomainAnswer = "takes" | "puts off" | "refuses";

export interface Mailbox {
  /** Replaces SMTP. */
  readonly transport: {
    readonly send: (mail: Omit<KeptMail, "id" | "at"> & { readonly messageId: string }) => Promise<void>;
    readonly close: () => void;
  };
  readonly plugin: (app: FastifyInstance) => Promise<void>;
  /** Sets how mails to this domain are answered from now on. */
  readonly answer: (domain: string, how: DomainAnswer) => void;
  /** Newest first. */
  readonly mails: () => readonly KeptMail[];
}

const mailboxPath = "/dev/mail";
const kept = 500;

const css = `
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: #1b1f3b; background: #faf7f2; }
main { max-width: 960px; margin: 0 auto; padding: 32px 20px; }
h1 { font-size: 28px; line-height: 1.15; margin: 0 0 24px; overflow-wrap: anywhere; }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 12px; }
li a { display: grid; gap: 2px; padding: 16px 20px; color: inherit; text-decoration: none; background: #fff; border: 1.5px solid #e6ded1; border-radius: 20px 20px 20px 5px; }
li a:hover, li a:focus-visible { border-color: #4a3aff; }
small, dl { color: #5a5f7d; font-size: 14px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 0 0 24px; overflow-wrap: anywhere; }
dd { margin: 0; color: #1b1f3b; }
iframe { width: 100%; height: 900px; border: 1.5px solid #e6ded1; border-radius: 14px; background: #fff; }
pre { padding: 20px; background: #fff; border: 1.5px solid #e6ded1; border-radius: 14px; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 14px; }
h2 { font-size: 18px; margin: 32px 0 12px; }
a { color: #4a3aff; }
`;

function page(reply: FastifyReply, title: string, body: string): FastifyReply {
  return reply
    .header(
      "content-security-policy",
      "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    .header("cache-control", "no-store")
    .type("text/html; charset=utf-8")
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${css}</style></head><body><main>${body}</main></body></html>`,
    );
}

const attached = (id: string, attachments: KeptMail["attachments"]): string =>
  attachments.length === 0
    ? ""
    : `<h2>Attached</h2><ul>${attachments
        .map(({ filename }, index) => `<li><a href="${mailboxPath}/${id}/attachments/${index}">${escapeHtml(filename)}</a></li>`)
        .join("")}</ul>`;

interface MailboxParts {
  /** A file of its own, or `:memory:`. */
  readonly dataFile: string;
  readonly now: () => number;
  /** Makes the error of a mail that is refused for good. */
  readonly refusal: (says: string) => Error;
}

const notFound = (reply: FastifyReply) =>
  page(reply.code(404), "No such mail", `<h1>No such mail</h1><p><a href="${mailboxPath}">All mails</a></p>`);

function listRoutes(app: FastifyInstance, mails: Mailbox["mails"]): void {
  app.get(mailboxPath, async (_request, reply) => {
    const rows = mails().map(
      (mail) =>
        `<li><a href="${mailboxPath}/${mail.id}"><b>${escapeHtml(mail.subject)}</b><span>${escapeHtml(mail.to)}</span><small>${escapeHtml(mail.at)} · ${escapeHtml(mail.language)}</small></a></li>`,
    );
    return page(
      reply,
      "Mailbox",
      `<h1>Mailbox</h1>${rows.length === 0 ? "<p>No mail yet. What the site sends shows here.</p>" : `<ul>${rows.join("")}</ul>`}`,
    );
  });
  // For tests and scripts: newest first, for one address or all.
  app.get(`${mailboxPath}.json`, async (request, reply) => {
    const { to } = v.parse(v.object({ to: v.optional(v.string()) }), request.query);
    return reply.header("cache-control", "no-store").send(mails().filter((mail) => to === undefined || mail.to === to));
  });
}

/** One mail: its page, and its parts by themselves. */
function mailRoutes(app: FastifyInstance, records: Records<KeptMail>): void {
  const find = (params: unknown) => records.get(v.parse(v.object({ id: v.string() }), params).id);
  app.get(`${mailboxPath}/:id`, async (request, reply) => {
    const mail = find(request.params);
    if (mail === undefined) return notFound(reply);
    const { id, subject, from, to, at, language, text, attachments = [] } = mail;
    return page(
      reply,
      subject,
      `<p><a href="${mailboxPath}">All mails</a></p><h1>${escapeHtml(subject)}</h1><dl><dt>From</dt><dd>${escapeHtml(from)}</dd><dt>To</dt><dd>${escapeHtml(to)}</dd><dt>Sent</dt><dd>${escapeHtml(at)}</dd><dt>Language</dt><dd>${escapeHtml(language)}</dd></dl><iframe src="${mailboxPath}/${id}/html" title="The mail" sandbox="allow-popups allow-top-navigation-by-user-activation"></iframe>${attached(id, attachments)}<h2>As text</h2><pre>${escapeHtml(text)}</pre>`,
    );
  });
  app.get(`${mailboxPath}/:id/html`, async (request, reply) => {
    const mail = find(request.params);
    if (mail === undefined) return notFound(reply);
    return (
      reply
        .header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; frame-ancestors 'self'")
        .header("x-frame-options", "SAMEORIGIN")
        .header("cache-control", "no-store")
        .type("text/html; charset=utf-8")
        // Links open in the whole window, as from a mail program, not inside the frame.
        .send(mail.html.replace("<head>", '<head><base target="_top">'))
    );
  });
  app.get(`${mailboxPath}/:id/attachments/:number`, async (request, reply) => {
    const { number } = v.parse(v.object({ number: v.string() }), request.params);
    const attachment = find(request.params)?.attachments[Number(number)];
    if (attachment === undefined) return notFound(reply);
    const { filename, contentType, content } = attachment;
    return reply
      .header("cache-control", "no-store")
      .header("content-disposition", `attachment; filename="${filename}"`)
      .type(contentType)
      .send(content);
  });
  app.get(`${mailboxPath}/:id/text`, async (request, reply) => {
    const mail = find(request.params);
    return mail === undefined
      ? notFound(reply)
      : reply.header("cache-control", "no-store").type("text/plain; charset=utf-8").send(mail.text);
  });
}

export function createMailbox({ dataFile, now, refusal }: MailboxParts): Mailbox {
  const answers = new Map<string, DomainAnswer>();
  const file = openRecords(dataFile);
  const records = file.kind<KeptMail>("mail");
  const mails = () => records.all().toReversed();

  return {
    mails,
    answer: (domain, how) => void answers.set(domain, how),
    transport: {
      send: async ({ messageId, ...mail }) => {
        const how = answers.get(mail.to.slice(mail.to.lastIndexOf("@") + 1));
        if (how === "puts off") throw new Error("421 4.3.2 The service is not available, try again later");
        if (how === "refuses") throw refusal("550 5.1.1 No such mailbox here");
        const [id = ""] = messageId.replace(/^</, "").split("@");
        records.put(id, { id, at: new Date(now()).toISOString(), ...mail });
        for (const old of mails().slice(kept)) records.remove(old.id);
      },
      close: () => file.close(),
    },
    plugin: async (app) => {
      listRoutes(app, mails);
      mailRoutes(app, records);
    },
  };
}
