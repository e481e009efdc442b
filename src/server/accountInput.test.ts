/** Hostile values in every field of every account call: no answer is 500, and the account does not change. */
import { type Endpoint, endpoints } from "#core/api.ts";
import { createTestApp, sampledDatabases, type Person } from "#test/app.ts";
import { long } from "#test/sampled.ts";
import { expect, it } from "vitest";

const hostile: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  "",
  " ",
  "\u0000",
  "\ud800",
  "\udfff@example.com",
  "\u202eana@example.com",
  "ana＠example.com",
  "ana@example.com\r\nBcc: everybody@example.com",
  '"ana"@example.com',
  "a@b@example.com",
  `${"a.".repeat(25_000)}@example.com`,
  "x".repeat(200_000),
  "'; DROP TABLE accounts; --",
  "%00%0d%0a",
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "{{7*7}}${7*7}",
  "__proto__",
  "constructor",
  "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.",
  "null",
  "NaN",
  "👩‍👩‍👧‍👦".repeat(40),
  [],
  ["ana@example.com"],
  {},
  { length: 3 },
  { toString: "x" },
  { $gt: "" },
  JSON.parse(`${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`),
];

const good = (person: Person): { readonly [K in Endpoint]?: Readonly<Record<string, unknown>> } => ({
  checkEmail: { email: "new@example.com" },
  signup: {
    uuid: "30000000-0000-4000-8000-000000000001",
    email: "fresh@example.com",
    firstname: "Ana",
    password: "correct horse",
    uiLanguage: "es-419",
    questionnaire: "76",
    version: "v5.7.8",
  },
  login: { email: person.email, password: "correct horse" },
  refresh: { refreshToken: "x" },
  loginLink: { email: person.email, target: "58", discount: "VUELVE" },
  token: { token: "x", email: person.email, code: "123456" },
  confirmEmail: { confirmToken: "x" },
  confirmByCode: { code: "123456" },
  forgotPassword: { email: person.email },
  resetLink: { token: "x" },
  resetPassword: { token: "x", password: "correct horse" },
  updateName: { firstname: "Ana" },
  updateEmail: { email: "x" },
  marketingConsent: { consent: true },
  accountErase: { password: "x" },
  // The last call, because it ends the session that the others use.
  logout: { refreshToken: "x" },
});

it.each(sampledDatabases)(
  "hostile values in every field of the account calls are refused or stored as plain text on %s",
  async (database) => {
    const wide = { points: 1_000_000, seconds: 60 };
    const names = ["bodies", "signup", "login", "login-link", "forgot-password", "token", "reset-password", "check-email", "refresh"];
    const limits = {
      ...Object.fromEntries(names.map((name) => [`${name}.network`, wide])),
      "signup.email": wide,
      "login.guesser": wide,
      "login.email": wide,
      "update-email.account": wide,
    };
    const t = await createTestApp({ database, settings: { limits } });
    const person = await t.signUp();
    const { token } = await t.logIn(person);
    const account = () =>
      t.store.read
        .selectFrom("accounts")
        .select(["email", "password_hash", "email_confirmed_at"])
        .where("uuid", "=", person.uuid)
        .executeTakeFirst();
    const before = await account();

    const failed: string[] = [];
    let fields = 0;
    for (const [key, body] of Object.entries(good(person)))
      for (const field of Object.keys(body)) {
        fields += 1;
        for (const [n, value] of hostile.entries()) {
          // The short run tries a third of the values in each field, and each value in a third of the fields.
          if (!long && n % 3 !== fields % 3) continue;
          const spec = Object.entries(endpoints).find(([name]) => name === key)?.[1];
          if (spec === undefined) throw new Error(`There is no call ${key}`);
          const response = await t.app.inject({
            method: spec.method,
            url: `/api/${spec.path}`,
            headers: { "content-type": "application/json", ...(spec.auth === "bearer" ? { authorization: `Bearer ${token}` } : {}) },
            payload: JSON.stringify({ ...body, [field]: value }),
          });
          // 503 asks to retry and is no failure.
          if (response.statusCode >= 500 && response.statusCode !== 503) failed.push(`${key}.${field} ${n}: ${response.statusCode}`);
        }
      }
    expect(failed).toEqual([]);
    expect(await account()).toEqual(before);
    await t.logIn(person);
    await t.close();
  },
);
