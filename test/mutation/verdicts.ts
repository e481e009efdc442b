/** Files in the sandbox by which Stryker's runner (`quickRunner.ts`) and Vitest's workers (`eachMutant.ts`) communicate. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";

const folder = "quick-pass";
export const workFile = `${folder}/work.json`;
/** A file per worker. Its name is the process, its age the duration of the current attempt. */
export const busyFolder = `${folder}/busy`;
const verdictsFile = `${folder}/verdicts`;

/** How often each test ran each mutant in the dry run, and how often a mutant may run before it counts as an endless loop. */
export interface Work {
  readonly namespace: string;
  readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly hitLimits: Readonly<Record<string, number>>;
}

/**
 * - killed: the test failed with the mutant and then passed without it.
 * - looped: the same, because the mutant ran too often.
 * - hung: the process had to be killed.
 * - lived: the test ran the mutant and passed.
 * - unclear: the test did not run the mutant, or then also failed without it. Stryker's own runner decides.
 */
export type Verdict = "killed" | "looped" | "hung" | "lived" | "unclear";

export const prepare = (): void => {
  mkdirSync(busyFolder, { recursive: true });
};
export function tell(verdict: Verdict, mutant: string, test: string): void {
  appendFileSync(verdictsFile, `${verdict}\t${mutant}\t${test}\n`);
}

export interface Verdicts {
  /** Mutants that are decided, with the verdict and the deciding test. */
  readonly done: ReadonlyMap<string, { readonly verdict: Verdict; readonly test: string }>;
  readonly tried: (mutant: string, test: string) => Verdict | undefined;
  readonly count: number;
}
export function readVerdicts(): Verdicts {
  const done = new Map<string, { readonly verdict: Verdict; readonly test: string }>();
  const tried = new Map<string, Verdict>();
  const text = existsSync(verdictsFile) ? readFileSync(verdictsFile, "utf8") : "";
  for (const line of text.split("\n").slice(0, -1)) {
    const [verdict, mutant = "", test = ""] = line.split("\t");
    if (verdict === "killed" || verdict === "looped" || verdict === "hung") done.set(mutant, { verdict, test });
    else if (verdict === "lived" || verdict === "unclear") tried.set(`${mutant}\t${test}`, verdict);
  }
  return { done, tried: (mutant, test) => tried.get(`${mutant}\t${test}`), count: done.size + tried.size };
}
