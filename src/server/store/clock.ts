/**
 * The time that all processes agree on: PostgreSQL's. A process that went by its own clock would take another's claim for run out, or leave
 * one that runs out before it begins. Between two comparisons the time goes on by what no correction of a clock changes (decision 191).
 */
import { sql } from "kysely";
import * as v from "valibot";
import { createRounds } from "../base/rounds.ts";
import type { World } from "../base/world.ts";
import type { Store } from "./store.ts";

const everyMs = 60_000;
/** The quickest answer tells most exactly when it was given. */
const asks = 3;
/** This machine's clock was corrected, or the machine has slept. */
const jumpMs = 1_000;
/** Links live for minutes; more than this is told. */
const mayDifferMs = 2_000;
/**
 * What another process writes may be this far ahead of the time that this one has read: their clocks are compared to the millisecond only,
 * and a statement may wait. What is further ahead was written before the clock went back, ms.
 */
export const aheadAtMostMs = 60_000;

export interface Clock extends Pick<World, "now"> {
  /** How far this machine's clock is ahead of the time, as compared last. */
  readonly aheadMs: () => number;
  /** Compares every minute. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

/** One moment on three clocks, ms. */
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
  if (best === null) throw new Error("The database's clock was not asked");
  return best;
}

/** Time that is given: a file's is its machine's. */
export const ownClock = ({ now }: Pick<World, "now">): Clock => ({ now, aheadMs: () => 0, start: () => {}, stop: async () => {} });

export async function databaseClock(parts: {
  readonly store: Store;
  /** This machine's. */
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
    if (!agrees) log.warn({ aheadMs: Math.round(ahead) }, "This machine's clock differs from the database's, which counts");
    else if (!agreed) log.info({ aheadMs: Math.round(ahead) }, "This machine's clock agrees with the database's again");
    agreed = agrees;
    return moment;
  };
  let last = await look();
  /** How far the machine's clock has gone against the steady one since; once it jumps the database is asked, once. */
  let noticed = 0;
  const rounds = createRounds(
    async () => {
      last = await look();
      noticed = 0;
    },
    (err) => log.warn({ err }, "The database's clock could not be read; the time goes on without it"),
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
