/** A thread that runs the checker on versions and reports the findings (`proving.ts`). */
import { isVersion } from "#content/questionnaires/index.ts";
import { prove } from "#content/questionnaires/review/proof.ts";
import { formatFinding } from "#core/questionnaire/check.ts";
import { parentPort, workerData } from "node:worker_threads";
import type { Proved } from "./proving.ts";

const versions: readonly string[] = workerData;
for (const version of versions) {
  if (!isVersion(version)) throw new Error(`There is no version ${version}`);
  const { findings, numbers } = prove(version);
  const worded = (severity: "fault" | "note") => findings.filter((finding) => finding.severity === severity).map(formatFinding);
  parentPort?.postMessage({ version, proof: { numbers, faults: worded("fault"), notes: worded("note") } } satisfies Proved, []);
}
