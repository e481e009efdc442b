/** Measures refused logins for known and unknown addresses. They alternate, so that load on the machine affects both. */
import { createTestApp, type DatabaseKind } from "./app.ts";

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Medians, ms: the response time, and the CPU time of all threads, which does not depend on other load. */
export interface Refused {
  readonly answerMs: number;
  readonly cpuMs: number;
}

/** Measures the logins. Throws when one is not refused. */
export async function refusedLogins(
  database: DatabaseKind,
  tries: number,
): Promise<{ readonly known: Refused; readonly unknown: Refused }> {
  const wide = { points: 1_000_000, seconds: 60 };
  const t = await createTestApp({ database, settings: { limits: { "login.network": wide, "login.guesser": wide, "login.email": wide } } });
  const person = await t.signUp();
  const known = new Array<Refused>();
  const unknown = new Array<Refused>();
  const refused = async (email: string) => {
    const started = performance.now();
    const cpu = process.cpuUsage();
    const { statusCode } = await t.send("login", { body: { email, password: "not the password" } });
    if (statusCode !== 401) throw new Error(`A login of ${email} was answered with ${statusCode}`);
    const { user, system } = process.cpuUsage(cpu);
    return { answerMs: performance.now() - started, cpuMs: (user + system) / 1_000 };
  };
  for (let n = 0; n < tries; n++) {
    known.push(await refused(person.email));
    unknown.push(await refused(`nobody${n}@example.com`));
  }
  await t.close();
  const medians = (all: readonly Refused[]) => ({
    answerMs: median(all.map(({ answerMs }) => answerMs)),
    cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
  });
  return { known: medians(known), unknown: medians(unknown) };
}
