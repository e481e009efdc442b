/** Streams today's numbers whenever they change. */
import { setTimeout as wait } from "node:timers/promises";
import type { Services } from "../../handlers/shared/services.ts";
import { runCount, knownUntil } from "../funnel/counting.ts";
import { pulseOf, type TodayAsked } from "./count.ts";

const lookEveryMs = 2_000;
/** The pause after a count, as a multiple of its duration: counting takes at most a tenth of the time. */
const restsPerCount = 9;

/** Yields the numbers at once and after every change, until `signal` aborts. */
export async function* liveToday({ store, world }: Pick<Services, "store" | "world">, asked: Omit<TodayAsked, "now">, signal: AbortSignal) {
  let pulse = "";
  let said = "";
  while (!signal.aborted) {
    const now = world.now();
    const next = await pulseOf(store.read, now);
    let rest = lookEveryMs;
    if (next !== pulse) {
      const began = performance.now();
      const known = await knownUntil(store, world.now());
      const today = await runCount(store, "today", { ...asked, now: known });
      rest = Math.max(rest, restsPerCount * (performance.now() - began));
      // A lagging standby does not show the change yet, so the next round counts again.
      if (known >= now) pulse = next;
      const saying = JSON.stringify({ ...today, countedAt: 0 });
      if (saying !== said) yield today;
      said = saying;
    }
    await wait(rest, undefined, { signal }).catch(() => undefined);
  }
}
