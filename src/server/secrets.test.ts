/** Only their recipients can read tokens, addresses and passwords: they are not in logs, other people's answers, or a dump. */
import { createLinks } from "#server/mail/links.ts";
import { loggerOptions } from "#server/logging.ts";
import { createTestApp, databases, testSettings } from "#test/app.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { expect, it } from "vitest";

it("refusals and logins are logged, with a name for the network that hides its address", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino(loggerOptions({ logLevel: "info" }), { write: (line: string) => void lines.push(JSON.parse(line)) });
  const t = await createTestApp({ database: "sqlite", parts: { log } });
  const { email, password, uuid } = await t.signUp();
  await t.send("login", { body: { email, password: "wrong horse" }, from: "203.0.113.9" });
  const { token } = await t.call("login", { body: { email, password }, from: "203.0.113.9" });
  await t.send("accountErase", { token, body: { password: "wrong horse" }, from: "203.0.113.8" });
  await t.send("accountExport", { token: "made up", from: "203.0.113.8" });
  const network = expect.stringMatching(/^[\w-]{12}$/);
  expect(lines).toMatchObject([
    { call: "login", refused: 1001, network, msg: "A call was refused" },
    { call: "login", network, msg: "Somebody logged in" },
    { call: "accountErase", refused: 1001, network, account: uuid },
    { call: "accountExport", refused: 1002, network },
  ]);
  expect(lines[1]?.["network"]).toBe(lines[0]?.["network"]);
  expect(lines[2]?.["network"]).not.toBe(lines[0]?.["network"]);
  expect(JSON.stringify(lines)).not.toMatch(/203\.0\.113|@example|horse/);
  await t.close();
});

it("of many refusals of a network the first of a minute have a line each; the others are counted in one, and nobody else's are hidden", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino(loggerOptions({ logLevel: "info" }), { write: (line: string) => void lines.push(JSON.parse(line)) });
  const t = await createTestApp({ database: "sqlite", parts: { log } });
  const strangers = Array.from({ length: 100 }, (_, n) => `2001:db8:0:${n}::1`);
  for (const from of strangers) await t.send("entitlement", { token: "made up", from });
  for (const from of strangers) await t.send("webhookPaddleBilling", { body: {}, from });
  for (const remoteAddress of strangers) await t.app.inject({ url: "/studio/api/me", remoteAddress });
  const linesOf = (refused: number) => lines.filter((line) => line["refused"] === refused).length;
  const ofTheStudio = lines.filter(({ msg }) => msg === "A call of the studio was refused").length;
  expect([linesOf(1002) - ofTheStudio, linesOf(1401), ofTheStudio]).toEqual([30, 30, 30]);
  await t.send("refresh", { body: { refreshToken: "made up" }, from: "2001:db8::1" });
  await t.send("entitlement", { token: "made up", from: "203.0.113.8" });
  expect([linesOf(1003), linesOf(1002) - ofTheStudio]).toEqual([1, 31]);
  t.world.pass(60_000);
  await t.send("entitlement", { token: "made up", from: "2001:db8::1" });
  expect(lines.filter(({ times }) => times !== undefined)).toMatchObject([
    { refused: 1002, times: 70 },
    { refused: 1401, times: 70 },
  ]);
  expect(linesOf(1002) - ofTheStudio).toBe(33);
  await t.close();
});

it.each(databases)("an account's whole life on %s leaves none of its secrets in the log or the database", async (database) => {
  const lines: string[] = [];
  const log = pino(loggerOptions({ logLevel: "debug" }), { write: (line: string) => void lines.push(line) });
  const t = await createTestApp({ database, parts: { log } });
  const links = createLinks(testSettings().secretKeys, t.world);
  const secrets = new Map<string, string>();
  const keep = (name: string, value: string | null) => {
    if (value) secrets.set(name, value);
    return value ?? "";
  };
  const mailed = async (template: string) => {
    const { data } = await t.store.read
      .selectFrom("mail_outbox")
      .select("data")
      .where("template", "=", template)
      .orderBy("created_at", "desc")
      .executeTakeFirstOrThrow();
    const { linkId } = JSON.parse(data);
    return {
      token: keep(`${template} token`, await links.tokenOf(t.store.read, linkId)),
      code: keep(`${template} code`, await links.codeOf(t.store.read, linkId)),
    };
  };

  const password = keep("password", "a password nobody else has");
  const person = await t.signUp({ password });
  const confirm = await mailed("confirmEmail");
  const first = await t.logIn(person);
  await t.call("confirmByCode", { token: first.token, body: { code: confirm.code }, headers: t.deviceOf(person) });
  keep("access token", first.token);
  keep("refresh token", first.refreshToken);
  const second = await t.call("refresh", { body: { refreshToken: first.refreshToken } });
  keep("second refresh token", second.refreshToken);
  await t.call("loginLink", { body: { email: person.email } });
  const link = await mailed("loginLink");
  await t.send("token", { body: { email: person.email, code: link.code === "000000" ? "000001" : "000000" } });
  const third = await t.call("token", { body: { token: link.token } });
  keep("third refresh token", third.refreshToken);
  const moved = `moved.${person.email}`;
  await t.call("updateEmail", { token: third.token, body: { email: moved, password } });
  const change = await mailed("confirmEmail");
  keep("change token", change.token);
  keep("confirmEmail token", confirm.token);
  const undo = await mailed("emailChange");
  await t.call("confirmEmail", { body: { confirmToken: change.token } });
  await t.call("undoEmail", { body: { token: undo.token } });
  await t.call("forgotPassword", { body: { email: person.email } });
  const reset = await mailed("resetPassword");
  const next = keep("next password", "and another one after it");
  await t.call("resetPassword", { body: { token: reset.token, password: next } });
  // Failures are logged where they happen: here with secrets in every place that a caller can fill.
  for (const url of [
    `/api/token?token=${link.token}`,
    `/api/nothing?password=${password}`,
    `/es-latam/link/login/?token=${link.token}&email=${person.email}`,
  ])
    await t.app.inject({ url, headers: { authorization: `Bearer ${second.token}`, cookie: `x=${third.refreshToken}` } });
  await t.app.inject({
    method: "POST",
    url: "/api/login",
    headers: { "content-type": "application/json" },
    payload: `{"password":"${password}"`,
  });
  log.warn(
    {
      email: person.email,
      recipient: person.email,
      body: { password, token: link.token, refreshToken: second.refreshToken, code: link.code },
    },
    "What a careless line would hold",
  );

  const dump = JSON.stringify(
    await Promise.all(
      (await t.store.read.introspection.getTables()).map(
        async ({ name }) => (await sql`SELECT * FROM ${sql.table(name)}`.execute(t.store.read)).rows,
      ),
    ),
  );
  const written = lines.join("\n");
  expect(lines.length).toBeGreaterThan(0);
  expect(secrets.size).toBe(13);
  for (const [name, secret] of secrets) {
    expect(written, `${name} in the log`).not.toContain(secret);
    // Six digits can occur by chance in times and ids.
    if (!name.endsWith("code")) expect(dump, `${name} in the database`).not.toContain(secret);
  }
  expect(written).not.toContain(person.email);
  await t.close();
});
