/** Starts Vitest's slowest files first, so that none runs alone at the end. Without a cache of earlier results, Vitest orders files by their size. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

const slow = [
  "src/server/payments/calls.test.ts",
  "src/server/studio/funnel/keptDays.test.ts",
  "src/server/accountLinks.test.ts",
  "src/server/emailChanges.test.ts",
  "src/server/accounts.test.ts",
  "src/start.test.ts",
  "src/server/outages.test.ts",
  "src/server/payments/durability.test.ts",
  "scripts/doctor.test.ts",
  "src/server/durability.test.ts",
  "src/server/fleet.test.ts",
  "src/server/loginTiming.test.ts",
];

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // Tests in the browser also come first, because typed keys may be lost while all other files start.
    const isSlow = ({ moduleId }: TestSpecification): boolean =>
      moduleId.includes(".browser.test.") || slow.some((file) => moduleId.endsWith(`/${file}`));
    // oxlint-disable-next-line no-array-sort -- This `sort` is the sequencer's.
    return (await super.sort(files)).toSorted((a, b) => Number(isSlow(b)) - Number(isSlow(a)));
  }
}
