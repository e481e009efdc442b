/**
 * `npm run doctor`: checks the machine and the services that the environment's settings name, and says what to do. It changes nothing.
 * Exits with 1 when it finds a fault; with `-- --strict` also for a warning.
 */
import { EnvError, readEnv } from "#server/env.ts";
import type { Settings } from "#server/base/settings.ts";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { database } from "./doctor/database.ts";
import { fault, type Finding, ok } from "./doctor/finding.ts";
import { disk, keys, metricsToken, nodeVersion } from "./doctor/machine.ts";
import { clickhouse, mailServer, paymentKeys, proxies } from "./doctor/outside.ts";

/** The stored development key. Before the first start: a placeholder, which signs nothing. */
const keptKey = (dataDir: string): string => {
  const file = join(dataDir, "secret-key");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : "the first start makes a key: 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
};

function settingsIn(env: NodeJS.ProcessEnv): Settings | readonly string[] {
  try {
    return readEnv(env, keptKey);
  } catch (error) {
    if (error instanceof EnvError) return error.sentences;
    throw error;
  }
}

async function findings(): Promise<readonly (readonly [string, Finding])[]> {
  const settings = settingsIn(process.env);
  const node = ["node", nodeVersion()] as const;
  if (!("publicUrl" in settings))
    return [node, ...settings.map((sentence) => ["settings", fault(sentence, "docs/settings.md says what each means.")] as const)];
  const given = (process.env["SECRET_KEYS"] ?? "") !== "";
  const [stored, copied, mail, before] = await Promise.all([
    database(settings),
    clickhouse(settings),
    mailServer(settings),
    proxies(settings),
  ]);
  return [
    node,
    ["settings", ok(settings.production ? "Complete for production" : "For this machine: production needs NODE_ENV=production")],
    ["keys", keys(settings, given)],
    ["metrics", metricsToken(settings)],
    ["disk", disk(settings)],
    ...Object.entries(stored),
    ...(copied === null ? [] : [["clickhouse", copied] as const]),
    ["mail server", mail],
    ["payments", paymentKeys(settings)],
    ["proxies", before],
  ];
}

const { values } = parseArgs({ options: { strict: { type: "boolean", default: false } } });
const found = await findings();
for (const [name, { verdict, says, remedy }] of found) {
  console.log(`${verdict.padEnd(8)} ${name.padEnd(12)} ${says}`);
  if (remedy !== null) console.log(`${" ".repeat(21)} → ${remedy}`);
}
const bad = found.filter(([, { verdict }]) => verdict === "fault" || (values.strict && verdict === "warning"));
process.exitCode = bad.length > 0 ? 1 : 0;
