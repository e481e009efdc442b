import { createMailbox } from "#standins/mailbox/mailbox.ts";
import { mailTexts } from "#content/texts/mail.ts";
import { type Locale, locales } from "#core/locales.ts";
import { createTestStore, createTestWorld, databases, type TestWorld } from "#test/app.ts";
import PostalMime from "postal-mime";
import Fastify from "fastify";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { queueMail } from "../accounts/links.ts";
import type { Store } from "../store/store.ts";
import { type MailTemplate, mailSchemas, type OutboxTemplate } from "./contents.ts";
import { createMailer, type Mailer } from "./mailer.ts";
import { renderMail } from "./templates/index.tsx";
import { startTricklingSmtp, type TricklingSmtp } from "#test/tricklingSmtp.ts";
import { type MailTransport, smtpTransport } from "./transport.ts";

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
const examples: Readonly<Record<MailTemplate, Readonly<Record<string, string | number | null>>>> = {
  confirmEmail: { firstname: "Lucía", link: "https://parlando.example/es-latam/link/confirm-email/?confirm_token=abc" },
  confirmChange: { link: "https://parlando.example/es-latam/link/confirm-email/?confirm_token=abc" },
  receipt: { ...receipt, appLink: "https://parlando.example/app", manageLink: "https://parlando.example/manage" },
  loginLink: { firstname: "Lucía", link: "https://parlando.example/es-latam/link/login/?token=abc", code: "042917" },
  loginUnknown: { link: "https://parlando.example/es-latam/habla-ingles/" },
  resetPassword: { firstname: null, link: "https://parlando.example/es-latam/app/olvide-mi-contrasena/?token=abc" },
  passwordChanged: { firstname: "Lucía", link: "https://parlando.example/es-latam/olvide-mi-contrasena/" },
  emailChange: { firstname: "Lucía", link: "https://parlando.example/es-latam/link/undo-email/?token=abc" },
  emailChanged: { firstname: "Lucía", link: "mailto:hola@parlando.example" },
  cancelled: { firstname: "Lucía", cancelledOn: "2026-11-20", until: "2027-02-20", link: "https://parlando.example/manage" },
  payLink: { firstname: null, link: "https://pay.example/txn_1?x=1&y=2" },
};
const isMailTemplate = (name: string): name is MailTemplate => Object.hasOwn(mailSchemas, name);
const templates = Object.keys(examples).filter(isMailTemplate);

describe.each(locales)("mails in %s", (locale) => {
  it.each(templates)("%s renders as HTML and text, complete and without a hole", async (template) => {
    const { subject, html, text } = await renderMail(template, locale, examples[template]);
    for (const part of [subject, html, text]) expect(part).not.toMatch(/undefined|\[object|\{[A-Z_]+\}|NaN/);
    expect(html).toContain(`<html dir="ltr" lang="${locale}"`);
    expect(html.length).toBeLessThan(102_400);
    const link = examples[template]["link"] ?? examples[template]["appLink"];
    expect(text).toContain(String(link).replace("mailto:", ""));
    expect(html).toContain(`href="${String(link).replaceAll("&", "&amp;")}"`);
  });

  it("has a text of its own for every key", () => {
    const own = mailTexts(locale);
    const english = Object.entries(mailTexts("en-US"));
    const same = Object.entries(own).flatMap(([key, text]) =>
      english.some(([name, other]) => name === key && JSON.stringify(other) === JSON.stringify(text)) ? [key] : [],
    );
    // "Plan" is the word in three of the languages.
    expect(same.filter((key) => locale !== "en-US" && key !== "receipt.item")).toEqual([]);
  });
});

describe("what a mail says", () => {
  const text = async (locale: Locale, data: object) => (await renderMail("receipt", locale, { ...examples.receipt, ...data })).text;

  it("the receipt names the plan, what was paid today, and what comes when", async () => {
    const trial = await text("es-419", {});
    expect(trial).toContain("Hola, Lucía:");
    expect(trial).toMatch(/Parlando, 3 meses/);
    expect(trial).toContain("$0 MXN");
    expect(trial).toContain("El 27\u00a0de\u00a0noviembre de 2026 empieza tu plan y pagas $747 MXN");
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
    expect(await text("pt-BR", { plan: "1W", trialDays: 0, currency: "BRL", price: 2_990 })).toContain("Parlando, 1 semana");
  });

  it.each(locales)("speaks of no code in %s while none would be taken", async (locale) => {
    const textOf = async (code: string | null) =>
      (await renderMail("loginLink", locale, { firstname: null, link: "https://parlando.example/", code })).text;
    expect(await textOf("042917")).toContain("042917");
    expect(await textOf(null)).not.toMatch(/code|código|codice|042917/i);
  });

  it("greets without a name where none is known", async () => {
    expect((await renderMail("confirmEmail", "pt-BR", { firstname: null, link: "https://parlando.example/" })).text).toContain("Oi!");
  });

  it("shows a name as text, whatever it is", async () => {
    expect((await renderMail("confirmEmail", "en-US", { firstname: "<b>x</b>", link: "https://parlando.example/" })).html).not.toContain(
      "<b>x</b>",
    );
  });

  it.each(["Win at evil.example", "https://evil.example", "www.evil", "x@evil.example", "evil.example/ana"])(
    "greets without a name that would become a link: %s",
    async (firstname) => {
      const { html, text } = await renderMail("confirmEmail", "en-US", { firstname, link: "https://parlando.example/" });
      expect(html + text).not.toContain("evil");
      expect(text).toContain("Hi,");
    },
  );
  it.each(["J. R.", "María del Mar", "Jean-Luc", "O’Neill", "Ana M.", "李"])("greets %s by name", async (firstname) => {
    expect((await renderMail("confirmEmail", "en-US", { firstname, link: "https://parlando.example/" })).text).toContain(
      `Hi ${firstname},`,
    );
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
      // Idle connections of the pool must not hold up its end.
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
    transport = smtpTransport(`smtp://127.0.0.1:${address.port}`);
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
      mailFrom: "Parlando <hola@parlando.example>",
      links: {
        tokenOf: async (_queries, id) => (id === "known" ? "the-token" : null),
        codeOf: async (_queries, id) => (id === "known" ? "042917" : null),
      },
      renderMail,
      transport,
      log: { warn: logged, error: logged },
      ...parts,
    });
  const queue = (template: OutboxTemplate, data: Readonly<Record<string, string | number | null>>, recipient = "lucia@ejemplo.mx") =>
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
    // Any address of this machine but the loopback's is another machine's to the transport.
    const abroad = smtpTransport(`smtp://0.0.0.0:${address.port}`);
    mailer = newMailer({ transport: abroad });
    await queue("confirmEmail", { linkId: "known", firstname: "Lucía" });
    await run();
    expect(received).toEqual([]);
    expect(await rows()).toMatchObject([{ sent_at: null, error: expect.stringMatching(/STARTTLS/) }]);
    abroad.close();
  });

  it("sends a confirmation over SMTP, as HTML and text, with the link of the configured site", async () => {
    await queue("confirmEmail", { linkId: "known", firstname: "Lucía" });
    await run();
    const [mail] = await parsed();
    expect(mail).toMatchObject({
      subject: "Confirma tu correo",
      from: { name: "Parlando", address: "hola@parlando.example" },
      to: [{ address: "lucia@ejemplo.mx" }],
    });
    const link = "https://parlando.example/es-latam/link/confirm-email/?platform=web&confirm_token=the-token";
    expect(mail?.text).toContain(link);
    expect(mail?.html).toContain(link.replaceAll("&", "&amp;"));
    expect(mail?.messageId).toMatch(/^<[0-9a-f-]{36}@parlando\.example>$/);
    expect(await rows()).toEqual([{ sent_at: world.now(), attempts: 1, next_attempt_at: null, error: null }]);
  });

  it("asks the address that an account is to have in other words, and by no name that somebody else chose", async () => {
    await queue("confirmEmail", { linkId: "known", changeId: "c", firstname: "Lucía" });
    await queue("confirmEmail", { linkId: "replaced", changeId: "c" });
    await run();
    const [mail, ...others] = await parsed();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("Confirma el nuevo correo de una cuenta");
    expect(mail?.text).toContain("https://parlando.example/es-latam/link/confirm-email/?platform=web&confirm_token=the-token");
    expect(mail?.text).toMatch(/Alguien pidió .* una cuenta de Parlando .*no toques nada.*la contraseña deja de servir/s);
    expect(mail?.text).not.toContain("Lucía");
    // As a release wrote it that the next one runs beside.
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

  it("says that the password was changed with the configured site's way to another one", async () => {
    await queue("passwordChanged", { firstname: "Lucía" });
    await run();
    const [mail] = await parsed();
    expect(mail?.subject).toBe("Cambió tu contraseña");
    expect(mail?.text).toContain("https://parlando.example/es-latam/olvide-mi-contrasena/");
  });

  it("tries again after a while when the server says later, with the same Message-ID, and then is done", async () => {
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

  it("names nobody in its log, though the mail server does", async () => {
    answers = [Object.assign(new Error("5.1.1 <Lucia@ejemplo.mx>: no such mailbox"), { responseCode: 550 })];
    await queue("payLink", { firstname: null, url: "https://pay.example/1" });
    await run();
    expect(reasons).toMatchObject([{ reason: expect.stringContaining("<(recipient)>: no such mailbox") }]);
    expect(JSON.stringify([reasons, await rows()])).not.toMatch(/lucia@/i);
  });

  it("lets no mail wait longer than it should have when the clock has gone back a day", async () => {
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
    // Nor one that its process was killed with.
    await store.write((queries) =>
      queries
        .updateTable("mail_outbox")
        .set({ next_attempt_at: world.now() + 24 * 3_600_000 })
        .execute(),
    );
    mailer.start();
    await expect.poll(() => received.length).toBe(1);
  });

  it("gives up at once when the address is refused, and after seven tries in any case", async () => {
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

  it("waits while the server is gone, and the others still go out when one cannot", async () => {
    await queue("loginUnknown", {});
    // As a later version of the program may have written it.
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

  it("is emptied once by two processes at the same time", async () => {
    for (let index = 0; index < 30; index++) await queue("payLink", { firstname: null, url: `https://pay.example/${index}` });
    const other = newMailer();
    mailer.wake();
    other.wake();
    await Promise.all([mailer.settled(), other.settled()]);
    expect(received).toHaveLength(30);
    expect(new Set((await parsed()).map(({ messageId }) => messageId)).size).toBe(30);
  });

  describe("to a server that trickles for some", () => {
    let server: TricklingSmtp;
    beforeEach(async () => {
      server = await startTricklingSmtp();
      transport.close();
      transport = smtpTransport(server.url);
      mailer = newMailer();
    });
    afterEach(() => server.close());

    it("others go out meanwhile, however many are for whom it is slow", async () => {
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

    it("a try ends at its deadline, and its connection with it", async () => {
      mailer = newMailer({ tryAtMostMs: 50 });
      await queue("payLink", { firstname: null, url: "https://pay.example/" }, "slow@slow.example");
      await run();
      expect(await rows()).toMatchObject([{ sent_at: null, attempts: 1, next_attempt_at: world.now() + 30_000 }]);
      await expect.poll(server.connections).toBe(0);
    });
  });

  it("takes up what a process left behind in the middle of a try, once its claim has run out", async () => {
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

describe("the mailbox of development", () => {
  it("keeps mails and shows them as list, page, HTML, text and JSON", async () => {
    const mailbox = createMailbox({ dataFile: ":memory:", now: () => 0 });
    const app = Fastify();
    await app.register(mailbox.plugin);
    expect((await app.inject("/dev/mail")).body).toContain("No mail yet");
    const mail = {
      from: "Parlando <hola@parlando.example>",
      to: "a@b.example",
      subject: "<One>",
      html: "<html><head></head><body>hello</body></html>",
      text: "hello",
      language: "en-US",
    };
    await mailbox.transport.send({ messageId: "<first@parlando.example>", ...mail });
    await mailbox.transport.send({ messageId: "<second@parlando.example>", ...mail, to: "c@d.example" });
    await mailbox.transport.send({ messageId: "<second@parlando.example>", ...mail, to: "c@d.example" });
    expect((await app.inject("/dev/mail")).body).toMatch(/c@d\.example.*a@b\.example/);
    expect((await app.inject("/dev/mail/first")).body).toContain("<h1>&lt;One&gt;</h1>");
    expect((await app.inject("/dev/mail/first/html")).body).toContain('<base target="_top">');
    expect((await app.inject("/dev/mail/first/text")).body).toBe("hello");
    expect((await app.inject("/dev/mail.json?to=a@b.example")).json()).toMatchObject([{ id: "first", subject: "<One>" }]);
    expect((await app.inject("/dev/mail/third")).statusCode).toBe(404);
    mailbox.transport.close();
    await app.close();
  });
});
