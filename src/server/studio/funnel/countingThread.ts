/** A low-priority thread that counts for Funnel and Today (`counting.ts`). */
import { constants, getPriority, platform, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { openPostgres } from "../../store/postgres.ts";
import type { Queries } from "../../store/schema.ts";
import { checkpointSqlite, openSqliteReader } from "../../store/sqlite.ts";
import { isUnavailable, type StorePlace } from "../../store/store.ts";
import { countedWhereBest } from "../../events/clickhouse/reading.ts";
import type { Reading } from "../../events/journeys.ts";
import type { CountAnswer, CountJob } from "./counting.ts";
import { counts, countsJourneys } from "./counts.ts";
import type { DayAsked } from "./dayCount.ts";

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
// Linux sets the priority per thread. Elsewhere it would apply to the whole process.
if (platform() === "linux") setPriority(0, Math.min(PRIORITY_LOW, getPriority() + PRIORITY_BELOW_NORMAL));

/** Opens a connection for one count. A connection that stayed open would keep the database from shutting down. */
function openAt(place: StorePlace): { readonly read: Queries; readonly close: () => Promise<void> } {
  // A lost connection fails its query, which is reported there.
  return place.dialect === "sqlite" ? openSqliteReader(place.file) : openPostgres(place.url, () => {});
}

/** Storing these makes SQLite's log longer. Without a checkpoint here, the thread that serves visitors would copy the log into the file. */
const lengthensLog: ReadonlySet<CountJob["count"]> = new Set(["day", "hour", "checkpoint"]);

async function answerTo({ place, isStandby, count, input }: CountJob): Promise<unknown> {
  if (lengthensLog.has(count) && place.dialect === "sqlite") checkpointSqlite(place.file);
  const { read, close } = openAt(place);
  try {
    if (!countsJourneys(count)) {
      const made: (queries: Queries, asked: never) => Promise<unknown> = counts[count];
      return await made(read, input as never);
    }
    const made: (reading: Reading, asked: never) => Promise<unknown> = counts[count];
    const kept = count === "day" || count === "hour" ? (input as DayAsked) : null;
    const asked = { queries: read, url: place.clickhouseUrl ?? null, isStandby, kept };
    return await countedWhereBest(asked, (reading) => made(reading, input as never));
  } finally {
    await close();
  }
}

parentPort?.on("message", (job: CountJob) => {
  const answer = (rest: Omit<CountAnswer, "id">) => parentPort?.postMessage({ id: job.id, ...rest } satisfies CountAnswer, []);
  answerTo(job).then(
    (output) => answer({ output, error: null, unavailable: false }),
    (error: unknown) => answer({ output: null, error, unavailable: isUnavailable(error) }),
  );
});
