import { openPostgres } from "#server/store/postgres.ts";
import type { Store } from "#server/store/store.ts";
import { hangingWait } from "./patience.ts";

/** Opens a pool without production's time limits, which a busy machine can reach. Tests of those limits and of whole processes use them. */
export const openPatiently = (url: string): Store =>
  openPostgres(url, (error) => console.error(error), null, { connect: hangingWait, statement: hangingWait, silence: hangingWait });
