import { createTestApp, databases, type TestApp } from "#test/app.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

describe.each(databases)("accounts on %s", (database) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await createTestApp({ database });
  });
  afterAll(() => t.close());

  it("signs somebody up who can then log in", async () => {
    const person = await t.signUp({ firstname: "Ana" });
    const session = await t.logIn(person);
    expect(session.user).toEqual({ uuid: person.uuid, email: person.email, firstname: "Ana" });
  });
});
