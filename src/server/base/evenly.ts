import type { World } from "./world.ts";

/** No answer comes earlier than this, ms: far longer than the work takes, whatever it finds. */
const earliest = 100;

/** Answers after the same time whether an address has an account or not. */
export async function evenly<T>(world: World, work: Promise<T>): Promise<T> {
  const [result] = await Promise.all([work, world.wait(earliest)]);
  return result;
}
