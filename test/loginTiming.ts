/** How long refused logins take for an address with an account and for one without, in turns, so that the machine's mood counts for both. */
import { createTestApp, type DatabaseKind } from "./app.ts";

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Medians in milliseconds: how long the answer took, and the CPU time of it in all threads, which a busy machine does not make longer. */
export interface Refused {
  readonly answerMs: number;
  readonly cpuMs: number;
}

/** Throws when a login is not refused. */
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
