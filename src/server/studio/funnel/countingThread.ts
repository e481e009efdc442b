/** A thread that counts what Funnel and Today show (`counting.ts`), after everything else that the machine has to do. */
import { constants, getPriority, platform, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { openPostgres } from "../../store/postgres.ts";
import type { Queries } from "../../store/schema.ts";
import { openSqliteReader } from "../../store/sqlite.ts";
import type { StorePlace } from "../../store/store.ts";
import type { CountAnswer, CountJob } from "./counting.ts";
import { counts } from "./counts.ts";

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
// On Linux a priority is a thread's, elsewhere the whole process's.
if (platform() === "linux") setPriority(0, Math.min(PRIORITY_LOW, getPriority() + PRIORITY_BELOW_NORMAL));

/** Opened for each count: it leaves nothing open that would hold up a database's end. */
function openAt(place: StorePlace): { readonly read: Queries; readonly close: () => Promise<void> } {
  // A connection that is lost fails the query that it had.
  return place.dialect === "sqlite" ? openSqliteReader(place.file) : openPostgres(place.url, () => {});
}

async function answerTo({ place, count, input }: CountJob): Promise<unknown> {
  const { read, close } = openAt(place);
  try {
    const made: (queries: Queries, asked: never) => Promise<unknown> = counts[count];
    return await made(read, input as never);
  } finally {
    await close();
  }
}

parentPort?.on("message", (job: CountJob) => {
  const answer = (rest: Omit<CountAnswer, "id">) => parentPort?.postMessage({ id: job.id, ...rest } satisfies CountAnswer, []);
  answerTo(job).then(
    (output) => answer({ output, error: null }),
    (error: unknown) => answer({ output: null, error }),
  );
});
