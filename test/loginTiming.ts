/** How long refused logins take for an address with an account and for one without, in turns, so that the machine's mood counts for both. */
import { createTestApp, type DatabaseKind } from "./app.ts";

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Medians in milliseconds. Throws when a login is not refused. */
export async function refusedLogins(database: DatabaseKind, tries: number): Promise<{ readonly known: number; readonly unknown: number }> {
  const wide = { points: 1_000_000, seconds: 60 };
  const t = await createTestApp({ database, settings: { limits: { "login.network": wide, "login.email": wide } } });
  const person = await t.signUp();
  const times = { known: new Array<number>(), unknown: new Array<number>() };
  const refused = async (email: string) => {
    const started = performance.now();
    const { statusCode } = await t.send("login", { body: { email, password: "not the password" } });
    if (statusCode !== 401) throw new Error(`A login of ${email} was answered with ${statusCode}`);
    return performance.now() - started;
  };
  for (let n = 0; n < tries; n++) {
    times.known.push(await refused(person.email));
    times.unknown.push(await refused(`nobody${n}@example.com`));
  }
  await t.close();
  return { known: median(times.known), unknown: median(times.unknown) };
}
