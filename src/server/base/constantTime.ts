import type { World } from "./world.ts";

/** Every answer takes at least this long, ms: far longer than the work. */
const earliest = 100;

/** Delays the answer, so that its time does not reveal whether an address has an account. */
export async function inConstantTime<T>(world: World, work: Promise<T>): Promise<T> {
  const [result] = await Promise.all([work, world.wait(earliest)]);
  return result;
}
