/**
 * The time that all processes share: PostgreSQL's. By its own clock, a process could treat another's claim as expired, or make a claim that expires
 * before it begins. Between two comparisons, time is counted with a monotonic clock, which corrections do not change (decision 191).
 */
import { sql } from "kysely";
import * as v from "valibot";
import { createRounds } from "../base/rounds.ts";
import type { World } from "../base/world.ts";
import type { Store } from "./store.ts";

const everyMs = 60_000;
/** The fastest of three answers has the smallest error. */
const asks = 3;
/** A larger jump means that this machine's clock was corrected, or that the machine has slept. */
const jumpMs = 1_000;
/** A larger difference is logged: links live for minutes. */
const mayDifferMs = 2_000;
/**
 * How far in the future a stored timestamp may seem to be, ms. Processes agree on the time only to some milliseconds, and a process may have waited
 * between reading the time and comparing it. A timestamp further ahead was written before the clock was set back.
 */
export const aheadAtMostMs = 60_000;

export interface Clock extends Pick<World, "now"> {
  /** How far this machine's clock was ahead at the last comparison. */
  readonly aheadMs: () => number;
  /** Compares the clocks every minute. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

/** One moment on three clocks, ms: the database's, the machine's, and the monotonic one. */
interface Moment {
  readonly time: number;
  readonly machine: number;
  readonly steady: number;
}

const answer = v.tuple([v.object({ time: v.pipe(v.unknown(), v.transform(Number), v.number()) })]);

async function compare(store: Store, machine: Pick<World, "now">): Promise<Moment> {
  let best: (Moment & { readonly took: number }) | null = null;
  for (let n = 0; n < asks; n++) {
    const asked = performance.now();
    const { rows } = await sql`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS time`.execute(store.read);
    const took = performance.now() - asked;
    if (best === null || took < best.took)
      best = { time: v.parse(answer, rows)[0].time, machine: machine.now() - took / 2, steady: asked + took / 2, took };
  }
  if (best === null) throw new Error("The database's clock has not been read");
  return best;
}

/** A clock that returns the given time. With SQLite it is the machine's. */
export const ownClock = ({ now }: Pick<World, "now">): Clock => ({ now, aheadMs: () => 0, start: () => {}, stop: async () => {} });

export async function databaseClock(parts: {
  readonly store: Store;
  /** This machine's clock. */
  readonly world: Pick<World, "now">;
  readonly log: { readonly info: (details: object, message: string) => void; readonly warn: (details: object, message: string) => void };
}): Promise<Clock> {
  const { store, world: machine, log } = parts;
  if (store.dialect === "sqlite") return ownClock(machine);
  let agreed = true;
  const look = async () => {
    const moment = await compare(store, machine);
    const ahead = moment.machine - moment.time;
    const agrees = Math.abs(ahead) <= mayDifferMs;
    if (!agrees)
      log.warn({ aheadMs: Math.round(ahead) }, "This machine's clock differs from the database's: this process uses the database's");
    else if (!agreed) log.info({ aheadMs: Math.round(ahead) }, "This machine's clock agrees with the database's again");
    agreed = agrees;
    return moment;
  };
  let last = await look();
  /** How far the machine's clock has jumped against the monotonic one since the last comparison. Each new jump causes one comparison. */
  let noticed = 0;
  const rounds = createRounds(
    async () => {
      last = await look();
      noticed = 0;
    },
    (err) => log.warn({ err }, "The database's clock could not be read: this process counts on from the last reading"),
  );
  return {
    now: () => {
      const passed = performance.now() - last.steady;
      const jumped = machine.now() - last.machine - passed;
      if (Math.abs(jumped - noticed) > jumpMs) {
        noticed = jumped;
        rounds.wake();
      }
      return Math.round(last.time + passed);
    },
    aheadMs: () => last.machine - last.time,
    start: () => rounds.start(everyMs),
    stop: rounds.stop,
  };
}
