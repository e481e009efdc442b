/**
 * `npm run vulnerabilities`: asks the registry (`npm audit`) for known vulnerabilities of the libraries that production runs, and fails if one is
 * unlisted in docs/vulnerabilities.json or older there than CONTRIBUTING.md allows.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import * as v from "valibot";

/** Days until an update or another remedy must be released, as CONTRIBUTING.md says. */
const daysFor = { critical: 2, high: 7, moderate: 30, low: 90, info: 90 } as const;
const day = 24 * 60 * 60 * 1_000;

const advisory = v.object({ title: v.string(), url: v.string(), severity: v.picklist(["critical", "high", "moderate", "low", "info"]) });
const report = v.object({ vulnerabilities: v.record(v.string(), v.object({ via: v.array(v.union([v.string(), advisory])) })) });
/** When somebody first saw an advisory, and what is done about it. */
const listed = v.array(v.object({ url: v.string(), found: v.pipe(v.string(), v.isoDate()), remedy: v.string() }));

const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8" });
const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), report), stdout);
if (!answer.success) throw new Error(`npm audit did not answer: ${stdout.slice(0, 500)}`);
const known = v.parse(v.pipe(v.string(), v.parseJson(), listed), readFileSync("docs/vulnerabilities.json", "utf8"));
const advisories = Object.entries(answer.output.vulnerabilities).flatMap(([library, { via }]) =>
  via.flatMap((cause) => (typeof cause === "string" ? [] : [{ library, ...cause }])),
);
let faults = 0;
for (const { library, title, url, severity } of advisories) {
  const since = known.find((one) => one.url === url)?.found;
  const due = since === undefined ? null : Date.parse(since) + daysFor[severity] * day;
  const isFault = due === null || due < Date.now();
  if (isFault) faults += 1;
  const state = due === null ? "not listed in docs/vulnerabilities.json" : `due on ${new Date(due).toISOString().slice(0, 10)}`;
  console.log(`${isFault ? "fault  " : "waiting"} ${library} (${severity}): ${title} ${url}, ${state}`);
}
console.log(`${advisories.length} known vulnerabilities in libraries of production, ${faults} unlisted or overdue`);
process.exitCode = faults > 0 ? 1 : 0;
