import { createMailbox } from "#standins/mailbox/mailbox.ts";
import { mailTexts } from "#content/texts/mail.ts";
import { type Locale, locales } from "#core/locales.ts";
import { createTestStore, createTestWorld, databases, type TestWorld } from "#test/app.ts";
import type { PluginTransformQueryArgs, PluginTransformResultArgs } from "kysely";
import PostalMime from "postal-mime";
import Fastify from "fastify";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mailLanes, queueMail } from "./outbox.ts";
import type { Store } from "../store/store.ts";
import { type MailTemplate, mailSchemas, type OutboxTemplate } from "./contents.ts";
import { createMailer, type Mailer } from "./mailer.ts";
import { renderMail } from "./templates/index.tsx";
import { looks } from "./templates/looks.ts";
import { readFile } from "node:fs/promises";
import { themes } from "#core/questionnaire/definition.ts";
import { hangingWait } from "#test/patience.ts";
import { startTricklingSmtp, type TricklingSmtp } from "#test/tricklingSmtp.ts";
import { type MailTransport, PermanentMailFailure, smtpTransport } from "./transport.ts";

/** No server in these tests is too slow, however busy the machine is. */
const patientTransport = (url: string) => smtpTransport(url, { connectMs: hangingWait, silenceMs: hangingWait });

const receipt = {
  firstname: "Lucía",
  orderId: "0f0e0d0c-0b0a-4908-8706-050403020100",
  plan: "3M",
  productType: "subscription",
  currency: "MXN",
  price: 74_700,
  trialDays: 7,
  paidOn: "2026-11-20",
  until: "2026-11-27",
};
const planNews = {
  firstname: "Lucía",
  news: "renewed",
  on: "2026-11-27",
  at: null,
  orderId: receipt.orderId,
  plan: "3M",
  productType: "subscription",
  currency: "MXN",
  total: 74_700,
  tax: 10_303,
  next: "2027-02-27",
  price: 74_700,
};
const examples: Readonly<Record<MailTemplate, Readonly<Record<string, unknown>>>> = {
  confirmEmail: { firstname: "Lucía", link: "https://parlando.example/es-latam/link/confirm-email/?confirm_token=abc", code: "042917" },
  confirmChange: { link: "https://parlando.example/es-latam/link/confirm-email/?confirm_token=abc" },
  receipt: {
    ...receipt,
    appLink: "https://parlando.example/app",
    manageLink: "https://parlando.example/manage",
    withdrawLink: "https://parlando.example/withdraw",
  },
  loginLink: { firstname: "Lucía", link: "https://parlando.example/es-latam/link/login/?token=abc", code: "042917", unconfirmed: true },
  loginUnknown: { link: "https://parlando.example/es-latam/habla-ingles/" },
  resetPassword: { firstname: null, link: "https://parlando.example/es-latam/app/olvide-mi-contrasena/?token=abc" },
  passwordChanged: { firstname: "Lucía", link: "https://parlando.example/es-latam/olvide-mi-contrasena/" },
  emailChange: { firstname: "Lucía", link: "https://parlando.example/es-latam/link/undo-email/?token=abc" },
  emailChanged: { firstname: "Lucía", link: "mailto:info@parlando.example" },
  chargeReminder: {
    firstname: "Lucía",
    chargedOn: "2026-11-27",
    currency: "MXN",
    price: 74_700,
    link: "https://parlando.example/manage",
  },
  renewalReminder: {
    firstname: "Lucía",
    renewsOn: "2026-12-20",
    currency: "MXN",
    price: 190_800,
    months: 12,
    link: "https://parlando.example/manage",
  },
  contractNotice: {
    kind: "cancel",
    id: "0b7e6d9a-3f52-4f0e-9c1d-7a5f2b8c4e10",
    at: Date.parse("2026-11-20T12:00:07Z"),
    timeZone: "America/Mexico_City",
    name: "Lucía Ramos",
    contract: "Parlando",
    email: "lucia@ejemplo.mx",
    forCause: false,
    reason: null,
    notBefore: null,
    link: "mailto:info@parlando.example",
  },
  planKept: {
    firstname: "Lucía",
    days: "lunes, miércoles y viernes",
    minutes: 20,
    until: "2027-05-19",
    plan: {
      hours: 42,
      months: 6,
      chart: { from: "básico", to: "intermedio", stages: 5, stage: "Etapa 1 de 5", end: "mayo de 2027" },
      calendar: { id: "plan", start: "2026-11-23", end: "2027-05-19", weekdays: [0, 2, 4] },
    },
    link: "https://parlando.example/es-latam/habla-ingles/76/80/",
  },
  cancelled: {
    firstname: "Lucía",
    cancelledOn: "2026-11-20",
    until: "2027-02-20",
    moneyBackUntil: "2026-12-20",
    link: "https://parlando.example/manage",
  },
  planNews: { ...planNews, link: "https://parlando.example/manage" },
  erased: { firstname: "Lucía" },
  emailIsNew: { firstname: "Lucía", link: "https://parlando.example/account" },
  payLink: { firstname: null, link: "https://pay.example/txn_1?x=1&y=2" },
  alert: {
    rule: "Mails wait",
    says: "3 mails wait, the oldest for 22 min.",
    began: true,
    at: Date.UTC(2026, 10, 20, 12),
    link: "https://parlando.example/studio/operations",
  },
  operatorPasskey: {
    done: "added",
    name: "Laptop",
    browser: "Firefox on Windows",
    at: Date.UTC(2026, 10, 20, 12),
    link: "https://parlando.example/studio/settings?part=me",
  },
  operatorLink: { linkId: "link", purpose: "invitation", invitedBy: "Ines", link: "https://parlando.example/studio/enter#abc" },
};
const isMailTemplate = (name: string): name is MailTemplate => Object.hasOwn(mailSchemas, name);
/** Mails to visitors. Those to operators are in English. */
const templates = Object.keys(examples)
  .filter(isMailTemplate)
  .filter((template) => template !== "operatorLink" && template !== "operatorPasskey" && template !== "alert");

describe.each(themes)("mails in the theme %s", (theme) => {
  it("have the colours of the site's tokens", async () => {
    const tokens = await readFile(new URL("../../ui/tokens.css", import.meta.url), "utf8");
    const [, own = ""] = new RegExp(`\\[data-theme="${theme}"\\] \\{([^}]*)`).exec(tokens) ?? [];
    for (const [name, colour] of Object.entries(looks[theme]))
      expect(own).toContain(`--${name.replace("onPrimary", "on-primary")}: ${colour.toLowerCase()};`);
  });

  it.each(templates)("%s has no other theme's colours, and the same text", async (template) => {
    const { html, text } = await renderMail(template, "es-419", examples[template], theme);
    const plain = await renderMail(template, "es-419", examples[template]);
    const worn = new Set(html.match(/#[\da-f]{6}\b/gi)?.map((colour) => colour.toUpperCase()));
    expect([...worn].filter((colour) => !Object.values(looks[theme]).includes(colour))).toEqual([]);
    expect(worn).toContain(looks[theme].primary);
    expect(text).toBe(plain.text);
  });
});

describe.each(locales)("mails in %s", (locale) => {
  it.each(templates)("%s renders as HTML and text without missing values", async (template) => {
    const { subject, html, text } = await renderMail(template, locale, examples[template]);
    for (const part of [subject, html, text]) expect(part).not.toMatch(/undefined|\[object|\{[A-Z_]+\}|NaN/);
    expect(html).toContain(`<html dir="ltr" lang="${locale}"`);
    expect(html.length).toBeLessThan(102_400);
    const link = examples[template]["link"] ?? examples[template]["appLink"];
    // A mail without a link has nothing more to check.
    if (link === undefined) return expect(template).toBe("erased");
    expect(text).toContain(String(link).replace("mailto:", ""));
    expect(html).toContain(`href="${String(link).replaceAll("&", "&amp;")}"`);
  });

  const news = ["begun", "renewed", "failed", "recovered", "unpaid", "kept", "pausing", "paused", "resumed"] as const;
  const money = ["refunded", "partRefunded", "returned"] as const;
  it.each([...news, ...money])("a plan that is %s has its own text without missing values", async (what) => {
    const isReceipt = what === "begun" || what === "renewed" || what === "recovered";
    const isMoney = isReceipt || money.some((one) => one === what);
    const { subject, html, text } = await renderMail("planNews", locale, {
      ...examples.planNews,
      news: what,
      at: what === "pausing" ? "2027-01-05" : null,
      total: isMoney ? 12_300 : null,
      next: what === "kept" || what === "resumed" || isReceipt ? "2027-02-27" : null,
    });
    for (const part of [subject, html, text]) expect(part).not.toMatch(/undefined|\[object|\{[A-Z_]+\}|NaN/);
    expect(text.includes("123")).toBe(isMoney);
    // The next charge, or the one that failed.
    expect(text.includes("747")).toBe(isReceipt || what === "kept" || what === "resumed" || what === "failed");
    expect(text.includes("2027")).toBe(isReceipt || what === "kept" || what === "resumed" || what === "pausing");
    expect(text).toContain("https://parlando.example/manage");
  });

  it("the mail about a refund speaks of a subscription only to those who have one", async () => {
    const refund = { ...examples.planNews, news: "refunded", at: null, total: 12_300, next: null };
    const [subscriber, once] = await Promise.all(
      ["subscription", "onetime"].map(async (productType) => (await renderMail("planNews", locale, { ...refund, productType })).text),
    );
    const { "cancelled.button": subscription, "emailIsNew.button": account } = mailTexts(locale);
    expect(subscriber).toContain(subscription);
    expect(once).toContain(account);
    expect(once).not.toContain(subscription);
  });

  it("has a text of its own for every key", () => {
    const own = mailTexts(locale);
    const english = Object.entries(mailTexts("en-US"));
    const same = Object.entries(own).flatMap(([key, text]) =>
      english.some(([name, other]) => name === key && JSON.stringify(other) === JSON.stringify(text)) ? [key] : [],
    );
    // Three of the languages also say "Plan".
    expect(same.filter((key) => locale !== "en-US" && key !== "receipt.item")).toEqual([]);
  });
});

describe("the content of a mail", () => {
  const text = async (locale: Locale, data: object) => (await renderMail("receipt", locale, { ...examples.receipt, ...data })).text;

  it("the receipt names the plan, today's payment, and the next charge", async () => {
    const trial = await text("es-419", {});
    expect(trial).toContain("Hola, Lucía:");
    expect(trial).toMatch(/Parlando, 3 meses/);
    expect(trial).toContain("$0\u00a0MXN");
    expect(trial).toContain("El 27\u00a0de\u00a0noviembre de 2026 empieza tu suscripción y pagas $747\u00a0MXN");
    const once = await text("de-DE", {
      productType: "onetime",
      plan: "6M",
      trialDays: 0,
      currency: "EUR",
      price: 9_490,
      until: "2027-05-20",
    });
    expect(once).toMatch(/94,90\s€$/m);
    expect(once).toContain("läuft bis zum 20.\u00a0Mai 2027");
    expect(once).not.toContain("kündigen");
    expect(once).toMatch(/Zugang ab\n20\.\s*November 2026\nZugang bis\n20\.\s*Mai 2027\n/);
    expect(trial).not.toContain("Acceso desde");
    expect(await text("pt-BR", { plan: "1W", trialDays: 0, currency: "BRL", price: 2_990 })).toContain("Parlando, 1 semana");
  });

  it("the receipt names seller, tax, interval, next payment, guarantee and how to cancel, with labels and values in two columns", async () => {
    const { html, text: paid } = await renderMail("receipt", "de-DE", {
      ...examples.receipt,
      currency: "EUR",
      trialDays: 0,
      price: 5_370,
      paid: 5_370,
      tax: 857,
    });
    expect(paid).toMatch(/Heute bezahlt\n53,70\s€\n.*MwSt\.\n8,57\s€\nAbrechnung\nAlle 3 Monate\nNächste Zahlung\n53,70\s€ am 27/);
    expect(paid).toMatch(/Verkäufer\nPaddle\.com Market Limited \(Anbieter des Programms: Parlando Example Ltd\.\)\nGarantie\nBis zum \d/);
    expect(await text("de-DE", { paid: 0, trialDays: 7 })).toContain("Garantie\n30 Tage ab deiner ersten Zahlung");
    expect(paid).toMatch(/So kündigst du\nJederzeit.* https:\/\/parlando\.example\/manage/);
    const rows = html.match(/<table role="presentation".*?<\/table>/)?.[0].match(/<tr>.*?<\/tr>/g) ?? [];
    expect(rows).toHaveLength(10);
    for (const row of rows) expect(row.match(/<td/g)).toHaveLength(2);
    expect(await text("de-DE", { tax: null })).toContain("Siehe Rechnung des Verkäufers");
    expect(await text("de-DE", { paid: 0, tax: 0, currency: "EUR" })).toMatch(/MwSt\.\n0\s€/);
    const once = await text("de-DE", { productType: "onetime", trialDays: 0 });
    expect(once).toContain("Keine: Das war eine Einmalzahlung");
    expect(once).not.toMatch(/Abrechnung\n|kündigst/);
  });

  it("the receipt names the last day of a withdrawal period, with the page for it, also for one payment", async () => {
    const told = await text("de-DE", { productType: "onetime", trialDays: 0, withdrawUntil: "2026-12-04" });
    expect(told).toMatch(/Widerruf\nBis zum 4\.\s*Dezember 2026 ohne Angabe von Gründen https:\/\/parlando\.example\/withdraw/);
    expect(await text("de-DE", {})).not.toContain("Widerruf");
  });

  it("a returning customer is welcomed back, without the first steps", async () => {
    for (const locale of locales) {
      const { subject, text: back } = await renderMail("receipt", locale, { ...examples.receipt, isBack: true });
      expect(subject).toContain("Parlando");
      expect(subject).not.toBe((await renderMail("receipt", locale, examples.receipt)).subject);
      expect(back).not.toMatch(/^1\. /m);
      expect(back).toContain("https://parlando.example/app");
    }
  });

  it("the operators' link is in English whatever the locale, for an invitation and for signing in", async () => {
    for (const [purpose, says] of [
      ["invitation", "Ines invites you to the studio"],
      ["sign-in", "This link signs you in to the studio. It works once, for 15 minutes."],
    ] as const) {
      const { subject, html, text } = await renderMail("operatorLink", "de-DE", { ...examples.operatorLink, purpose });
      expect(subject).toMatch(/studio$/);
      expect(html).toContain('<html dir="ltr" lang="en-US"');
      expect(html).toContain(`href="${String(examples.operatorLink["link"])}"`);
      expect(text).toContain(says);
      expect(text).toContain("The Parlando team");
    }
  });

  it.each(["added", "removed"])(
    "the mail about an operator's passkey that was %s is in English, and its name does not become a link",
    async (done) => {
      const data = { ...examples.operatorPasskey, done, name: "http://evil.example" };
      const { subject, html, text } = await renderMail("operatorPasskey", "de-DE", data);
      expect(subject).toBe(`A passkey was ${done} in the Parlando studio`);
      expect(html).toContain(`href="${String(examples.operatorPasskey["link"])}"`);
      expect(text).toContain("2026-11-20 12:00 UTC, Firefox on Windows.");
      expect(html + text).not.toMatch(/evil\.example/);
    },
  );

  it.each(templates)(
    '%s continues in lower case after a German greeting\'s comma, and never breaks "E-Mail" at its hyphen',
    async (template) => {
      const { subject, html, text: plain } = await renderMail(template, "de-DE", examples[template]);
      expect(plain).toMatch(/Hallo[^\n]*,\n\n\p{Ll}/u);
      expect(html.replaceAll(/<[^>]*>/g, "")).not.toMatch(/\be-mail/i);
      expect(subject + plain).not.toContain("\u2011");
    },
  );

  it("the mail about a withdrawal begins in lower case, too", async () => {
    const data = { ...examples.cancelled, until: null, moneyBackUntil: null, withdrawn: true };
    expect((await renderMail("cancelled", "de-DE", data)).text).toMatch(/Hallo[^\n]*,\n\nmit deinem Widerruf/);
  });

  it.each(locales)("has its code below the link in %s, and does not mention a code while none is accepted", async (locale) => {
    for (const template of ["loginLink", "confirmEmail"] as const) {
      const textOf = async (code: string | null) =>
        (await renderMail(template, locale, { firstname: null, link: "https://parlando.example/", code, unconfirmed: false })).text;
      expect(await textOf("042917")).toMatch(/https:\/\/parlando\.example\/[^]*^042917$/m);
      expect(await textOf(null)).not.toMatch(/code|código|codice|042917/i);
    }
  });

  it("has no empty lines in place of the chart's bar in its text", async () => {
    expect((await renderMail("planKept", "it-IT", examples.planKept)).text).toMatch(/\nbásico\nintermedio\n\nEtapa 1 de 5/);
  });

  it("to the new address says that the other devices are logged out", async () => {
    expect((await renderMail("emailIsNew", "de-DE", examples.emailIsNew)).text).toContain(
      "Auf deinen anderen Geräten bist du jetzt abgemeldet",
    );
  });

  it("greets without a name when none is known", async () => {
    expect((await renderMail("confirmEmail", "pt-BR", { ...examples.confirmEmail, firstname: null })).text).toContain("Oi!");
  });

  it("shows a name as plain text, whatever it contains", async () => {
    expect((await renderMail("confirmEmail", "en-US", { ...examples.confirmEmail, firstname: "<b>x</b>" })).html).not.toContain("<b>x</b>");
  });

  it.each([
    "Win at evil.example",
    "https://evil.example",
    "www.evil",
    "x@evil.example",
    "evil.example/ana",
    "evil\u3002example",
    "evil\uff61example",
    "evil\u2024example",
    "\u202eelpmaxe",
    "evil +1 900 555 0100",
    "evil 5000€",
    "evil 1.2.3.4",
    "Ana\u2028evil",
    "\u200b",
  ])("greets without a name that would become a link: %s", async (firstname) => {
    const { html, text } = await renderMail("confirmEmail", "en-US", { ...examples.confirmEmail, firstname });
    expect(html + text).not.toContain("evil");
    expect(text).toContain("Hi,");
  });
  it.each(["J. R.", "María del Mar", "Jean-Luc", "O’Neill", "Ana M.", "李"])("greets %s by name", async (firstname) => {
    expect((await renderMail("confirmEmail", "en-US", { ...examples.confirmEmail, firstname })).text).toContain(`Hi ${firstname},`);
  });

  it("is refused when its data is not the template's", async () => {
    await expect(renderMail("confirmEmail", "en-US", { firstname: "Ana" })).rejects.toThrow("link");
  });
});

describe.each(databases)("the outbox on %s", (database) => {
  let store: Store;
  let world: TestWorld;
  let smtp: SMTPServer;
  let received: Buffer[];
  let answers: (Error & { responseCode?: number })[];
  let transport: MailTransport;
  let mailer: Mailer;
  let problems: string[];
  let reasons: unknown[];
  let closed: boolean;

  beforeEach(async () => {
    store = await createTestStore(database);
    world = createTestWorld();
    received = [];
    answers = [];
    problems = [];
    reasons = [];
    closed = false;
    smtp = new SMTPServer({
      authOptional: true,
      // Idle connections of the pool must not delay its end.
      closeTimeout: 10,
      disabledCommands: ["STARTTLS"],
      onData: (stream, _session, done) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          const answer = answers.shift();
          if (answer === undefined) received.push(Buffer.concat(chunks));
          done(answer);
        });
      },
    });
    await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
    const address = smtp.server.address();
    if (address === null || typeof address === "string") throw new Error("The SMTP server has no port");
    transport = patientTransport(`smtp://127.0.0.1:${address.port}`);
    mailer = newMailer();
  });
  afterEach(async () => {
    await mailer.stop();
    if (!closed) await new Promise<void>((resolve) => smtp.close(() => resolve()));
    await store.close();
  });

  const logged = (details: object, message: string) => {
    problems.push(message);
    reasons.push(details);
  };
  const newMailer = (parts: Partial<Parameters<typeof createMailer>[0]> = {}) =>
    createMailer({
      store,
      world,
      publicUrl: "https://parlando.example",
      namedBackend: null,
      mailFrom: "Parlando <info@parlando.example>",
      links: {
        tokenOf: async (_queries, id) => (id === "known" ? "the-token" : null),
        codeOf: async (_queries, id) => (id === "known" ? "042917" : null),
        studioAddressOf: async (_queries, id) => (id === "known" ? "https://parlando.example/studio/enter#a-token" : null),
      },
      renderMail,
      transport,
      tryAtMostMs: hangingWait,
      log: { warn: logged, error: logged },
      ...parts,
    });
  const queue = (template: OutboxTemplate, data: Readonly<Record<string, unknown>>, recipient = "lucia@ejemplo.mx") =>
    store.write((queries) => queueMail(queries, world, { accountUuid: null, template, locale: "es-419", recipient, data }));
  const run = async () => {
    mailer.wake();
    await mailer.settled();
  };
  const parsed = () => Promise.all(received.map((raw) => PostalMime.parse(raw)));
  const rows = () => store.read.selectFrom("mail_outbox").select(["sent_at", "attempts", "next_attempt_at", "error"]).execute();
  const temporary = () => Object.assign(new Error("Try again later"), { responseCode: 451 });
  const refused = () => Object.assign(new Error("No such mailbox"), { responseCode: 550 });

  it("hands nothing unencrypted to another machine", async () => {
    const address = smtp.server.address();
    if (address === null || typeof address === "string") throw new Error("The SMTP server has no port");
    // 0.0.0.0 reaches this machine, but it is not a loopback address, so the transport treats it as another machine.
    const abroad = patientTransport(`smtp://0.0.0.0:${address.port}`);
    mailer = newMailer({ transport: abroad });
    await queue("confirmEmail", { linkId: "known", firstname: "Lucía" });
    await run();
    expect(received).toEqual([]);
    expect(await rows()).toMatchObject([{ sent_at: null, error: expect.stringMatching(/STARTTLS/) }]);
    abroad.close();
  });

  it.each(["onConnect", "onAuth", "onMailFrom"] as const)(
    "keeps a mail when a server refuses all mails for good at %s, and sends it when the server accepts mails again",
    async (stage) => {
      let refuses = true;
      const answer = (done: (error?: Error | null) => void) =>
        done(refuses ? Object.assign(new Error("Not now"), { responseCode: 554 }) : null);
      const strict = new SMTPServer({
        closeTimeout: 10,
        disabledCommands: ["STARTTLS"],
        allowInsecureAuth: true,
        onConnect: (_session, done) => (stage === "onConnect" ? answer(done) : done()),
        onAuth: (_auth, _session, done) => (stage === "onAuth" && refuses ? answer(done) : done(null, { user: "me" })),
        onMailFrom: (_address, _session, done) => (stage === "onMailFrom" ? answer(done) : done()),
        onData: (stream, _session, done) => void stream.on("data", (chunk: Buffer) => received.push(chunk)).on("end", () => done()),
      });
      await new Promise<void>((resolve) => strict.listen(0, "127.0.0.1", resolve));
      const address = strict.server.address();
      if (address === null || typeof address === "string") throw new Error("The SMTP server has no port");
      mailer = newMailer({ transport: patientTransport(`smtp://me:secret@127.0.0.1:${address.port}`) });
      await queue("confirmEmail", { linkId: "known", firstname: "Lucía" });
      await run();
      expect(await rows()).toMatchObject([{ sent_at: null, attempts: 1, next_attempt_at: world.now() + 30_000 }]);
      refuses = false;
      world.pass(30_000);
      await run();
      expect(await rows()).toMatchObject([{ sent_at: world.now(), attempts: 2, next_attempt_at: null }]);
      await mailer.stop();
      await new Promise<void>((resolve) => strict.close(() => resolve()));
    },
  );

  it("sends a confirmation over SMTP, as HTML and text, with the link of the configured site", async () => {
    await queue("confirmEmail", { linkId: "known", firstname: "Lucía" });
    await run();
    const [mail] = await parsed();
    expect(mail).toMatchObject({
      subject: "Confirma tu correo",
      from: { name: "Parlando", address: "info@parlando.example" },
      to: [{ address: "lucia@ejemplo.mx" }],
    });
    const link = "https://parlando.example/es-latam/link/confirm-email/?platform=web&confirm_token=the-token&with_code=on";
    expect(mail?.text).toContain(link);
    expect(mail?.text).toContain("042917");
    expect(mail?.html).toContain(link.replaceAll("&", "&amp;"));
    expect(mail?.messageId).toMatch(/^<[0-9a-f-]{36}@parlando\.example>$/);
    expect(await rows()).toEqual([{ sent_at: world.now(), attempts: 1, next_attempt_at: null, error: null }]);
  });

  it("sends the plan with a calendar file: each day of practice once, and none after the end", async () => {
    const { link: _, ...kept } = examples.planKept;
    await queue("planKept", { ...kept, version: "76", question: "80" });
    await run();
    const [mail] = await parsed();
    expect(mail?.html).toContain("42 horas de estudio en 6 meses");
    expect(mail?.attachments).toMatchObject([{ filename: "parlando.ics", mimeType: "text/calendar" }]);
    // Read from the raw mail, because the parser changes the line ends of a calendar file.
    const [, encoded = ""] = /filename=parlando\.ics\r\n\r\n([\w+/=\r\n]+)/.exec(String(received[0])) ?? [];
    const file = Buffer.from(encoded, "base64").toString();
    expect(file).toContain("DTSTART;VALUE=DATE:20261123\r\n");
    // Mondays, Wednesdays and Fridays from 23 November 2026 to 19 May 2027: of 26 weeks 6 are for rest, and the last ends on a Wednesday.
    const rules = [...file.matchAll(/DTSTART;VALUE=DATE:(\d+)\r\n[^]*?RRULE:FREQ=WEEKLY;COUNT=(\d+);INTERVAL=13;BYDAY=MO,WE,FR\r\n/g)];
    expect(rules.map(([, day, count]) => `${day} ×${count}`)).toEqual([
      "20261123 ×6",
      "20261130 ×6",
      "20261214 ×6",
      "20261221 ×6",
      "20261228 ×6",
      "20270111 ×6",
      "20270118 ×6",
      "20270125 ×6",
      "20270208 ×6",
      "20270215 ×5",
    ]);
    expect(file).toContain("SUMMARY:Inglés: 20 minutos\r\n");
    expect(file).toContain("https://parlando.example/es-latam/habla-ingles/76/80/");
  });

  it.each([
    ["in the year 9999", "9999-12-31", [0, 2, 4], 960_039, "MO,WE,FR"],
    ["that February does not have", "2027-02-31", [6, 0], 23, "MO,SU"],
    ["on a day that is said 30,000 times", "2026-12-31", Array<number>(30_000).fill(1), 5, "TU"],
  ])("sends a plan that ends %s: its end and days are whatever somebody saved", async (_, end, weekdays, days, byDay) => {
    const { plan, link: _link, ...kept } = examples.planKept;
    const calendar = { id: "plan", start: "2026-11-23", end, weekdays };
    await queue("planKept", { ...kept, until: end, plan: { ...Object(plan), calendar }, version: "76", question: "80" });
    await run();
    const [, encoded = ""] = /filename=parlando\.ics\r\n\r\n([\w+/=\r\n]+)/.exec(String(received[0])) ?? [];
    const rules = [
      ...Buffer.from(encoded, "base64")
        .toString()
        .matchAll(/RRULE:FREQ=WEEKLY;COUNT=(\d+);INTERVAL=13;BYDAY=([A-Z,]+)\r\n/g),
    ];
    expect(rules.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(days);
    expect(new Set(rules.map(([, , named]) => named))).toEqual(new Set([byDay]));
  });

  it("asks a new address to confirm with another text, without a name that somebody else chose", async () => {
    await queue("confirmEmail", { linkId: "known", changeId: "c", firstname: "Lucía" });
    await queue("confirmEmail", { linkId: "replaced", changeId: "c" });
    await run();
    const [mail, ...others] = await parsed();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("Confirma el nuevo correo de una cuenta");
    expect(mail?.text).toContain("https://parlando.example/es-latam/link/confirm-email/?platform=web&confirm_token=the-token");
    expect(mail?.text).toMatch(/Alguien pidió .* una cuenta de Parlando .*no toques el botón.*la contraseña deja de servir/s);
    expect(mail?.text).not.toMatch(/Lucía|042917|with_code/);
    // The rows have the template name that the previous release knows: both releases run side by side during a deployment.
    expect((await store.read.selectFrom("mail_outbox").select("template").execute()).map(({ template }) => template)).toEqual([
      "confirmEmail",
      "confirmEmail",
    ]);
  });

  it.each<[OutboxTemplate, Record<string, string | null>, string]>([
    ["loginLink", { target: "58", discount: "VUELVE" }, "/es-latam/link/login/?token=the-token&target=58&discount=VUELVE"],
    ["emailChange", {}, "/es-latam/link/undo-email/?token=the-token"],
    ["resetPassword", { target: null }, "/es-latam/app/olvide-mi-contrasena/?token=the-token"],
  ])("sends %s with the configured site's link and only as long as the link stands", async (template, data, link) => {
    await queue(template, { linkId: "known", firstname: null, ...data });
    await queue(template, { linkId: "replaced", firstname: null, ...data });
    await run();
    const mails = await parsed();
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(`https://parlando.example${link}`);
    if (template === "loginLink") expect(mails[0]?.text).toContain("042917");
  });

  it.each<[OutboxTemplate, object, string]>([
    ["confirmEmail", {}, "link/confirm-email"],
    ["loginLink", { target: null, discount: null }, "link/login"],
    ["resetPassword", { target: null }, "app/olvide-mi-contrasena"],
    ["emailChange", {}, "link/undo-email"],
    ["cancelled", { ...examples.cancelled, link: undefined, keepLink: undefined }, "link/keep-subscription"],
    ["passwordChanged", {}, "olvide-mi-contrasena"],
    ["chargeReminder", { ...examples.chargeReminder, link: undefined }, "administrar-tu-suscripcion"],
    ["planKept", { ...examples.planKept, link: undefined, version: "76", question: "80" }, "habla-ingles/76/80"],
  ])("names the back end of the account in the link of %s where the site has several (spec 001 §2)", async (template, data, page) => {
    const namedBackend = "https://eu.parlando.example/api";
    for (const each of [mailer, newMailer({ namedBackend })]) {
      await queue(template, { linkId: "known", firstname: null, ...data });
      each.wake();
      await each.settled();
    }
    const named = (await parsed()).map(({ text = "" }) => {
      const link = text.match(/https:\/\/\S+/g)?.find((address) => address.includes(`/es-latam/${page}/`)) ?? "https://nowhere.example";
      return new URL(link).searchParams.get("backend-url");
    });
    expect(named).toEqual([null, namedBackend]);
  });

  const accountRow = () => ({
    uuid: "0f0e0d0c-0b0a-4908-8706-050403020109",
    email: "lucia@ejemplo.mx",
    email_confirmed_at: null,
    password_hash: null,
    firstname: null,
    locale: "es-419",
    questionnaire_version: "88",
    app_version: "v5.7.8",
    marketing_consent: null,
    created_at: world.now(),
    updated_at: world.now(),
    trust_epoch: "t",
  });

  it.each<[OutboxTemplate, Readonly<Record<string, unknown>>]>([
    ["confirmEmail", {}],
    ["loginLink", { target: null, discount: null }],
    ["emailChange", {}],
    ["passwordChanged", {}],
    ["emailIsNew", {}],
    ["receipt", receipt],
    ["cancelled", { ...examples.cancelled, linkId: null }],
    ["chargeReminder", examples.chargeReminder],
    ["renewalReminder", examples.renewalReminder],
    ["planNews", planNews],
  ])("names the look of the account's own funnel in the link of %s, for another browser", async (template, data) => {
    const account = accountRow();
    await store.write(async (queries) => {
      await queries.insertInto("accounts").values(account).execute();
      await queueMail(queries, world, {
        accountUuid: account.uuid,
        template,
        locale: "es-419",
        recipient: account.email,
        data: { linkId: "known", firstname: null, ...data },
      });
    });
    await run();
    expect((await parsed())[0]?.text).toMatch(/[?&]look=Kosmo/);
  });

  it.each([
    [null, true],
    [1, false],
  ])("warns, while the address is unconfirmed, that a login elsewhere ends the password (confirmed at %s: %s)", async (at, told) => {
    const account = { ...accountRow(), email_confirmed_at: at };
    await store.write(async (queries) => {
      await queries.insertInto("accounts").values(account).execute();
      await queueMail(queries, world, {
        accountUuid: account.uuid,
        template: "loginLink",
        locale: "es-419",
        recipient: account.email,
        data: { linkId: "known", firstname: null, target: null, discount: null },
      });
    });
    await run();
    expect((await parsed())[0]?.text?.includes("la contraseña anterior deja de servir")).toBe(told);
  });

  it("says that the password was changed, with a link on the configured site for setting another one", async () => {
    await queue("passwordChanged", { firstname: "Lucía" });
    await run();
    const [mail] = await parsed();
    expect(mail?.subject).toBe("Se cambió tu contraseña");
    expect(mail?.text).toContain("https://parlando.example/es-latam/olvide-mi-contrasena/");
  });

  it("tries again later after a temporary refusal, with the same Message-ID", async () => {
    answers = [temporary(), temporary()];
    await queue("payLink", { firstname: null, url: "https://pay.example/1" });
    await run();
    expect(received).toEqual([]);
    expect(await rows()).toMatchObject([{ sent_at: null, attempts: 1, next_attempt_at: world.now() + 30_000 }]);
    await run();
    expect((await rows())[0]?.attempts).toBe(1);
    world.pass(30_000);
    await run();
    expect(await rows()).toMatchObject([{ attempts: 2, next_attempt_at: world.now() + 120_000 }]);
    world.pass(120_000);
    await run();
    expect(received).toHaveLength(1);
    expect(problems).toEqual(["A mail could not be sent yet.", "A mail could not be sent yet."]);
  });

  it("deletes the mail that confirms an erasure once it is sent", async () => {
    answers = [temporary()];
    await queue("erased", { firstname: "Lucía" });
    await run();
    expect(await rows()).toMatchObject([{ sent_at: null, attempts: 1 }]);
    world.pass(30_000);
    await run();
    expect((await parsed()).map(({ subject }) => subject)).toEqual(["Tu cuenta se borró y tu acceso terminó"]);
    expect(await rows()).toEqual([]);
  });

  it("links to the configured site's pages in mails about a plan and about a changed address", async () => {
    await queue("planNews", planNews);
    await queue("emailIsNew", { firstname: "Lucía" });
    await run();
    expect((await parsed()).map(({ subject, text }) => [subject, text?.match(/https:\S+/)?.[0]]).toSorted()).toEqual([
      ["Este es ahora el correo de tu cuenta", "https://parlando.example/es-latam/administrar-tu-suscripcion/cuenta/"],
      ["Se renovó tu suscripción", "https://parlando.example/es-latam/administrar-tu-suscripcion/"],
    ]);
  });

  it("logs no address, even if the mail server's answer contains one", async () => {
    answers = [Object.assign(new Error("5.1.1 <Lucia@ejemplo.mx>: no such mailbox"), { responseCode: 550 })];
    await queue("payLink", { firstname: null, url: "https://pay.example/1" });
    await run();
    expect(reasons).toMatchObject([{ reason: expect.stringContaining("<(recipient)>: no such mailbox") }]);
    expect(JSON.stringify([reasons, await rows()])).not.toMatch(/lucia@/i);
  });

  it("lets no mail wait longer than it should after the clock was set back a day", async () => {
    answers = Array.from({ length: 4 }, temporary);
    await queue("payLink", { firstname: null, url: "https://pay.example/1" });
    for (const [attempts, wait] of [
      [1, 30_000],
      [2, 120_000],
      [3, 600_000],
      [4, 3_600_000],
    ]) {
      world.pass(-24 * 3_600_000);
      const next = newMailer({ transport: { ...transport, close: () => {} } });
      next.start();
      await expect.poll(rows).toMatchObject([{ attempts, next_attempt_at: world.now() + Number(wait), sent_at: null }]);
      await next.stop();
    }
    // A mail whose process was killed does not wait longer either.
    await store.write((queries) =>
      queries
        .updateTable("mail_outbox")
        .set({ next_attempt_at: world.now() + 24 * 3_600_000 })
        .execute(),
    );
    mailer.start();
    await expect.poll(() => received.length).toBe(1);
  });

  it("gives up at once when the address is refused, and otherwise after seven tries", async () => {
    answers = [refused()];
    await queue("payLink", { firstname: null, url: "https://pay.example/1" });
    await run();
    expect(await rows()).toMatchObject([{ sent_at: null, attempts: 1, next_attempt_at: null }]);
    expect((await rows())[0]?.error).toContain("No such mailbox");
    answers = Array.from({ length: 10 }, temporary);
    await queue("payLink", { firstname: null, url: "https://pay.example/2" });
    for (let round = 0; round < 10; round++) {
      await run();
      world.pass(24 * 3_600_000);
    }
    expect((await rows()).map(({ attempts, next_attempt_at: next }) => [attempts, next])).toEqual(
      expect.arrayContaining([
        [1, null],
        [7, null],
      ]),
    );
    expect(answers).toHaveLength(3);
  });

  it("waits while the server is down, and sends the others when one cannot be rendered", async () => {
    await queue("loginUnknown", {});
    // A later release may have written such a row.
    await store.write((queries) => queries.updateTable("mail_outbox").set({ template: "nonsense" }).execute());
    await queue("confirmEmail", { linkId: "replaced", firstname: null });
    await queue("payLink", { firstname: null, url: "not an address" });
    await queue("payLink", { firstname: null, url: "https://pay.example/1" });
    await run();
    expect(received).toHaveLength(1);
    expect((await rows()).filter(({ next_attempt_at: next }) => next !== null)).toEqual([]);
    closed = true;
    await new Promise<void>((resolve) => smtp.close(() => resolve()));
    await queue("payLink", { firstname: null, url: "https://pay.example/2" });
    await run();
    expect((await rows()).filter(({ next_attempt_at: next }) => next !== null)).toMatchObject([{ attempts: 1 }]);
  });

  it("sends each mail once with two processes at the same time", async () => {
    for (let index = 0; index < 30; index++) await queue("payLink", { firstname: null, url: `https://pay.example/${index}` });
    const other = newMailer();
    mailer.wake();
    other.wake();
    await Promise.all([mailer.settled(), other.settled()]);
    expect(received).toHaveLength(30);
    expect(new Set((await parsed()).map(({ messageId }) => messageId)).size).toBe(30);
  });

  it("does not send what another process has claimed since it looked", async () => {
    await queue("payLink", { firstname: null, url: "https://pay.example/1" });
    const [claimed, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const send = async () => {
      claimed.resolve();
      await sent.promise;
    };
    const other = newMailer({ transport: { send, close: () => {} } });
    const looked = {
      transformQuery: ({ node }: PluginTransformQueryArgs) => node,
      transformResult: async ({ result }: PluginTransformResultArgs) => {
        if (result.rows.length === 0) return result;
        other.wake();
        await claimed.promise;
        return result;
      },
    };
    const late = newMailer({ store: { ...store, read: store.read.withPlugin(looked) } });
    late.wake();
    await late.settled();
    expect(received).toHaveLength(0);
    sent.resolve();
    await other.settled();
  });

  it("sends mails that strangers can request after mails to known addresses, however early they were queued", async () => {
    const [uuid, recipient] = [world.uuid(), "lucia@ejemplo.mx"];
    const about = (template: OutboxTemplate, data: Readonly<Record<string, unknown>>, accountUuid: string | null = uuid) => {
      world.pass(1);
      return store.write((queries) => queueMail(queries, world, { accountUuid, template, locale: "es-419", recipient, data }));
    };
    // One recipient gets one mail at a time, so the order is certain.
    await about("loginUnknown", {}, null);
    const at = world.now();
    const account = { uuid, email: recipient, email_confirmed_at: null, password_hash: null, firstname: null, locale: "es-419" };
    const origin = { questionnaire_version: "76", app_version: "v5.7.8", marketing_consent: null, created_at: at, updated_at: at };
    await store.write((queries) =>
      queries
        .insertInto("accounts")
        .values({ ...account, ...origin })
        .execute(),
    );
    await about("confirmEmail", { linkId: "known", firstname: null });
    await about("payLink", { firstname: null, url: "https://pay.example/" });
    await store.write((queries) => queries.updateTable("accounts").set({ email_confirmed_at: at }).execute());
    await about("loginLink", { linkId: "known", firstname: null, target: null, discount: null });
    await run();
    const byTemplate = new Map(
      (await store.read.selectFrom("mail_outbox").select(["id", "template"]).execute()).map(({ id, template }) => [id, template]),
    );
    const inOrder = (await parsed()).map(({ messageId }) => byTemplate.get(messageId?.replace(/^<|@.*$/g, "") ?? ""));
    expect(inOrder).toEqual(["loginLink", "payLink", "confirmEmail", "loginUnknown"]);
  });

  it("does not let mails of a later lane overtake when their recipient becomes free in the middle of a pass", async () => {
    const recorded = Promise.withResolvers<void>();
    const order: string[] = [];
    const send = async ({ subject }: Parameters<MailTransport["send"]>[0]) => void order.push(subject);
    const looked = {
      transformQuery: ({ node }: PluginTransformQueryArgs) => node,
      // Once the first mail is being sent, every query waits until that mail is recorded as sent.
      transformResult: async ({ result }: PluginTransformResultArgs) => {
        if (order.length > 0) await recorded.promise;
        await new Promise((resolve) => setImmediate(resolve));
        return result;
      },
    };
    const write: Store["write"] = async (work) => {
      const done = await store.write(work);
      if (order.length > 0) recorded.resolve();
      return done;
    };
    // One lane has two mails of a recipient, a later one a third.
    for (const index of [1, 2]) await queue("payLink", { firstname: null, url: `https://pay.example/${index}` });
    await store.write((queries) =>
      queries
        .updateTable("mail_outbox")
        .set({ lane: Math.min(...Object.values(mailLanes)) })
        .execute(),
    );
    await queue("loginUnknown", {});
    const late = newMailer({ store: { ...store, read: store.read.withPlugin(looked), write }, transport: { send, close: () => {} } });
    late.wake();
    await late.settled();
    expect(order.map((subject) => subject === order[0])).toEqual([true, true, false]);
  });

  describe("to a server that is slow for some recipients", () => {
    let server: TricklingSmtp;
    beforeEach(async () => {
      server = await startTricklingSmtp();
      transport.close();
      transport = patientTransport(server.url);
      mailer = newMailer();
    });
    afterEach(() => server.close());

    it("other mails go out meanwhile, however many are for the slow recipients", async () => {
      for (let index = 0; index < 20; index++) {
        await queue("payLink", { firstname: null, url: "https://pay.example/" }, `slow${index}@slow.example`);
        world.pass(1);
      }
      for (let index = 0; index < 12; index++)
        await queue("payLink", { firstname: null, url: "https://pay.example/" }, `${index}@${index % 2}.example`);
      mailer.wake();
      await expect.poll(() => server.taken.length).toBe(12);
      await expect.poll(server.trickling).toBe(3);
      server.answer();
      await mailer.settled();
      expect([server.taken.length, problems]).toEqual([32, []]);
    });

    it("an attempt and its connection end at the deadline", async () => {
      mailer = newMailer({ tryAtMostMs: 50 });
      await queue("payLink", { firstname: null, url: "https://pay.example/" }, "slow@slow.example");
      await run();
      expect(await rows()).toMatchObject([{ sent_at: null, attempts: 1, next_attempt_at: world.now() + 30_000 }]);
      await expect.poll(server.connections).toBe(0);
    });
  });

  it("continues the mails of a killed process when its claim has expired", async () => {
    await queue("payLink", { firstname: null, url: "https://pay.example/1" });
    await store.write((queries) =>
      queries
        .updateTable("mail_outbox")
        .set({ attempts: 1, next_attempt_at: world.now() + 120_000 })
        .execute(),
    );
    await run();
    expect(received).toEqual([]);
    world.pass(120_000);
    await run();
    expect(received).toHaveLength(1);
  });
});

describe("the development mailbox", () => {
  it("stores mails and shows them as list, page, HTML, text and JSON", async () => {
    const mailbox = createMailbox({ dataFile: ":memory:", now: () => 0, refusal: (says) => new PermanentMailFailure(says) });
    const app = Fastify();
    await app.register(mailbox.plugin);
    expect((await app.inject("/dev/mail")).body).toContain("No mail yet");
    const mail = {
      from: "Parlando <info@parlando.example>",
      to: "a@b.example",
      subject: "<One>",
      html: "<html><head></head><body>hello</body></html>",
      text: "hello",
      language: "en-US",
      attachments: [{ filename: "a.ics", contentType: "text/calendar", content: "BEGIN:VCALENDAR" }],
    };
    await mailbox.transport.send({ messageId: "<first@parlando.example>", ...mail });
    await mailbox.transport.send({ messageId: "<second@parlando.example>", ...mail, to: "c@d.example" });
    await mailbox.transport.send({ messageId: "<second@parlando.example>", ...mail, to: "c@d.example" });
    expect((await app.inject("/dev/mail")).body).toMatch(/c@d\.example.*a@b\.example/);
    expect((await app.inject("/dev/mail/first")).body).toContain("<h1>&lt;One&gt;</h1>");
    expect((await app.inject("/dev/mail/first/html")).body).toContain('<base target="_top">');
    expect((await app.inject("/dev/mail/first/text")).body).toBe("hello");
    expect((await app.inject("/dev/mail/first")).body).toContain('<a href="/dev/mail/first/attachments/0">a.ics</a>');
    expect((await app.inject("/dev/mail/first/attachments/0")).body).toBe("BEGIN:VCALENDAR");
    expect((await app.inject("/dev/mail/first/attachments/1")).statusCode).toBe(404);
    expect((await app.inject("/dev/mail.json?to=a@b.example")).json()).toMatchObject([{ id: "first", subject: "<One>" }]);
    expect((await app.inject("/dev/mail/third")).statusCode).toBe(404);
    mailbox.transport.close();
    await app.close();
  });
});
