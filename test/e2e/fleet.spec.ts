/** Real server processes on one PostgreSQL. */
import { startPostgres } from "#test/postgres.ts";
import { join } from "node:path";
import pg from "pg";
import { expect, longTest, startSite } from "./site.ts";

const wrong = 5 * 60_000;

longTest("a process with a wrong clock uses the database's time, and warns", async () => {
  const postgres = await startPostgres();
  const url = await postgres.newDatabase("empty");
  const metricsToken = "metrics-token-of-the-operator";
  const site = await startSite({
    DATABASE_URL: url,
    METRICS_TOKEN: metricsToken,
    LOG_LEVEL: "warn",
    NODE_OPTIONS: `--import=${join(process.cwd(), "test/movedClock.ts")}`,
    CLOCK_WRONG_MS: String(wrong),
  });
  const metrics = await fetch(`${site.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  const skew = Number(/^parlando_clock_skew_seconds (\S+)$/m.exec(await metrics.text())?.[1]);
  expect(Math.round((skew * 1_000) / wrong)).toBe(1);
  await expect.poll(site.log).toContain("This machine's clock differs from the database's");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // The process has stored its start time by the database's clock, not by its own wrong one.
  const { rows } = await client.query<{ off: number }>(
    "SELECT started_at - extract(epoch FROM clock_timestamp()) * 1000 AS off FROM processes",
  );
  expect(rows).toHaveLength(1);
  expect(Number(rows[0]?.off)).toBeLessThan(wrong / 2);
  await client.end();
  await site.stop();
  await postgres.stop();
});
