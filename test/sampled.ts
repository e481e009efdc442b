/** Whether this is the long run (`npm run test:long`). `npm test` runs samples of slow tests. */
export const long = process.env["LONG"] === "1";

/** All items in the long run, otherwise `count` items in even steps from the first. */
export function sampled<T>(all: readonly T[], count: number): readonly T[] {
  if (long || all.length <= count) return all;
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)]).filter((item) => item !== undefined);
}
