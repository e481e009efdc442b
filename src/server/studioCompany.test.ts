/** Operators who sign in with the company's identity provider, a stand-in that speaks OpenID Connect. */
import { addOperator } from "#server/studio/operators/operators.ts";
import { createTestApp, sampledDatabases, type TestApp } from "#test/app.ts";
import { type Company, startCompany } from "#test/oidc.ts";
import { freePort } from "#test/e2e/site.ts";
import { sendStudioCall, studioCookieOf } from "#test/studio.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

describe.each(sampledDatabases)("the company's sign-in (%s)", (database) => {
  let t: TestApp;
  let company: Company;
  beforeEach(async () => {
    company = await startCompany(await freePort());
    t = await createTestApp({ database, settings: { oidc: company.settings } });
    await t.store.write((queries) =>
      addOperator(queries, t.world, { email: "ines@team.example", name: "Ines Roth", role: "support" }, null),
    );
  });
  afterEach(async () => {
    await t.close();
    await company.close();
  });
  const begin = async (): Promise<{ readonly challenge: string; readonly url: string }> =>
    (await sendStudioCall(t, "companyWanted")).json();
  const comeBack = (challenge: string, search: string) => sendStudioCall(t, "enterByCompany", { input: { challenge, search } });

  it("is offered by its name, and signs in an operator by their verified address, once", async () => {
    expect((await sendStudioCall(t, "waysIn")).json()).toMatchObject({ company: "Example Ltd." });
    const { challenge, url } = await begin();
    expect(new URL(url).searchParams.get("redirect_uri")).toBe("https://parlando.example/studio/enter/company");
    const { search } = await company.signIn(url, "Ines@Team.example");
    const entered = await comeBack(challenge, search);
    expect(entered.json()).toMatchObject({ email: "ines@team.example", role: "support" });
    expect((await sendStudioCall(t, "me", { cookie: studioCookieOf(entered) })).statusCode).toBe(200);
    expect((await comeBack(challenge, search)).json()).toMatchObject({ code: 1004 });
  });

  it("does not sign in a user whom the studio does not know, or whose address is not verified", async () => {
    const stranger = await begin();
    const back = await company.signIn(stranger.url, "stranger@team.example");
    expect((await comeBack(stranger.challenge, back.search)).json()).toMatchObject({ code: 1403 });
    const unverified = await begin();
    const unsure = await company.signIn(unverified.url, "ines@team.example", false);
    expect((await comeBack(unverified.challenge, unsure.search)).json()).toMatchObject({ code: 1004 });
  });

  it("refuses a return that another browser began, that is too late, or whose code belongs to another", async () => {
    const [mine, theirs] = [await begin(), await begin()];
    const back = await company.signIn(theirs.url, "ines@team.example");
    expect((await comeBack(mine.challenge, back.search)).json()).toMatchObject({ code: 1004 });

    const [first, second] = [await begin(), await begin()];
    const [one, other] = [await company.signIn(first.url, "ines@team.example"), await company.signIn(second.url, "ines@team.example")];
    // Another sign-in's code with this one's state: the verifier does not match the code.
    one.searchParams.set("code", other.searchParams.get("code") ?? "");
    expect((await comeBack(first.challenge, one.search)).json()).toMatchObject({ code: 1004 });

    const late = await begin();
    const { search } = await company.signIn(late.url, "ines@team.example");
    t.world.pass(5 * 60_000);
    expect((await comeBack(late.challenge, search)).json()).toMatchObject({ code: 1004 });
  });

  it("says only that it does not answer, while the identity provider is down", async () => {
    const away = await createTestApp({
      database,
      settings: { oidc: { ...company.settings, issuer: `http://localhost:${await freePort()}` } },
    });
    expect((await sendStudioCall(away, "companyWanted")).json()).toMatchObject({ code: 1503 });
    await away.close();
  });

  it("does not exist without its settings", async () => {
    const without = await createTestApp({ database });
    for (const [key, input] of [
      ["companyWanted", {}],
      ["enterByCompany", { challenge: without.world.uuid(), search: "?code=1" }],
    ] as const)
      expect((await sendStudioCall(without, key, { input })).json()).toMatchObject({ code: 1404 });
    await without.close();
  });
});
