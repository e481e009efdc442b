/** `npm run test:long` tries everything; `npm test` a sample of what takes long. */
export const long = process.env["LONG"] === "1";

/** All of them in the long run, else `count` of them in even steps from the first on. */
export function sampled<T>(all: readonly T[], count: number): readonly T[] {
  if (long || all.length <= count) return all;
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)]).filter((item) => item !== undefined);
}
