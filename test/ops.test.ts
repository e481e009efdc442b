/** Files in ops/ and the Dockerfile name only existing variables, paths, ports and metrics. */
import { apiPrefix } from "#server/calls.ts";
import { variableNames } from "#server/env.ts";
import { databaseClock } from "#server/store/clock.ts";
import { studioApiPrefix } from "#server/studioCalls.ts";
import { createTestApp, createTestStore, databases, type DatabaseKind } from "#test/app.ts";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (file: string) => readFileSync(file, "utf8");
const files = ["Dockerfile", "ops/compose.yml", "ops/compose.full.yml", "ops/env.example", "ops/kubernetes/parlando.yaml"];
/** Variables of other programs. */
const others = new Set(["POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD", "POSTGRES_ADMIN_PASSWORD", "SITE_PASSWORD"]);

it.each(files)("%s sets only variables that the server reads", (file) => {
  const text = read(file).replaceAll(/^\s*#.*$/gm, "");
  const named = [...text.matchAll(/(?:^|[\s{(])([A-Z][A-Z\d]*_[A-Z\d_]+|PORT|HOST|RAFFLE|LIMITS)(?=[:=])|\$\{([A-Z_]+)\}/gm)].map(
    (match) => match[1] ?? match[2] ?? "",
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !variableNames.includes(name) && !others.has(name))).toEqual([]);
});

it("the image runs without root, listens where its health check asks, and contains the program's files", () => {
  const text = read("Dockerfile");
  expect(text.match(/^FROM /gm)).toHaveLength(2);
  expect(text).toMatch(/^FROM gcr\.io\/distroless\/cc-debian13:nonroot$/m);
  expect(text).toMatch(/^USER 65532:65532$/m);
  expect(text).toMatch(/PORT=3000/);
  expect(text).toMatch(/^EXPOSE 3000$/m);
  expect(text).toMatch(/process\.env\.PORT \+ '\/healthz'/);
  const major = /"node": ">=(\d+)"/.exec(read("package.json"))?.[1];
  expect(text).toMatch(new RegExp(`^FROM node:${major}-trixie-slim AS build$`, "m"));
  const [, taken = ""] = text.split("FROM gcr.io");
  const folders = [...taken.matchAll(/--from=build \/app\/(\S+)/g)].map(([, name = ""]) => name);
  const ignored = read(".dockerignore").split("\n");
  for (const name of folders)
    expect([name, name === "build" || name === "node_modules" || (existsSync(name) && !ignored.includes(name))]).toEqual([name, true]);
  // The program also reads migrations (relative to src/server/store) and its package.json.
  expect(folders).toEqual(expect.arrayContaining(["package.json", "node_modules", "db", "src", "scripts", "build"]));
});

it("only the studio's build imports the packages that the image omits", () => {
  const left = [...(/rm -rf([\s\S]*?)&&/.exec(read("Dockerfile"))?.[1] ?? "").matchAll(/node_modules\/([@a-z-]+)/g)].map(
    ([, name = ""]) => name,
  );
  expect(left).toContain("lucide-react");
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.startsWith("studio/"),
  );
  for (const file of sources)
    for (const [, name = ""] of read(`src/${file}`).matchAll(/(?:from|import\() ?"([@a-z][^"]*)"/g))
      expect([
        file,
        name,
        left.some((one) => name === one || name.startsWith(`${one}/`) || (one.endsWith("-") && name.startsWith(one))),
      ]).toEqual([file, name, false]);
});

it("every proxy adds the address that it sees, because visitors can write the header themselves", () => {
  // Caddy does so by itself.
  for (const file of ["ops/compose.yml", "ops/compose.full.yml"]) expect(read(file)).toMatch(/image: caddy:2$/m);
  for (const [site] of read("ops/haproxy.cfg").matchAll(/^frontend (?:.*\n(?! *$))*/gm)) expect(site).toMatch(/^ {2}option forwardfor$/m);
});

it.each(["ops/compose.yml", "ops/compose.full.yml"])(
  "%s limits the logs: Docker keeps them for ever, and a full disk closes the site",
  (file) => {
    const text = read(file);
    expect(text).toMatch(/^x-log: &log \{ driver: local, options: \{ max-size: \S+, max-file: "\d+" \} \}$/m);
    // Each service, or what it is made from.
    const [, services = ""] = /^services:\n([\s\S]*?)^(?=\S)/m.exec(text) ?? [];
    const own = services.split(/^ {2}(?=\S)/m).filter((service) => service !== "" && !service.includes(": *site"));
    const made = /^x-site: &site\n(?: .*\n)*/m.exec(text)?.[0];
    for (const service of made === undefined ? own : [...own, made]) expect(service).toMatch(/^ +logging: \*log$/m);
  },
);

it("one address cannot take all connections of HAProxy, not even with requests that never end", () => {
  const file = read("ops/haproxy.cfg");
  const [site = ""] = /^frontend site(?:\n.*\S.*)*/m.exec(file) ?? [];
  // Without it, each byte of a request's headers starts the wait anew.
  expect(file).toMatch(/^ {2}timeout http-request \d+s$/m);
  expect(site).toMatch(/^ {2}tcp-request connection track-sc0 src,ipmask\(32,64\)/m);
  const [, taken, own] = /^ {2}tcp-request connection reject if \{ fe_conn gt (\d+) \} \{ sc0_conn_cur gt (\d+) \}/m.exec(site) ?? [];
  const [, most] = /^ {2}maxconn (\d+)$/m.exec(file) ?? [];
  expect(Number(taken) + Number(own)).toBeLessThan(Number(most));
});

it("while a process of compose.full.yml is killed or restarted, Caddy sends every request to the other one", () => {
  const compose = read("ops/compose.full.yml");
  expect(compose).toContain("./Caddyfile:/etc/caddy/Caddyfile:ro");
  const caddy = read("ops/Caddyfile");
  const [, servers = ""] = /^\treverse_proxy (.*) \{$/m.exec(caddy) ?? [];
  expect(servers.split(" ")).toEqual([...compose.matchAll(/^ {2}(\S+): \*site$/gm)].map(([, name]) => `${name}:3000`));
  expect(caddy).toMatch(/^\t\thealth_uri \/readyz$/m);
  expect(caddy).toMatch(/^\t\tlb_try_duration \d+s$/m);
  // By itself, it repeats only a GET after a connection has been made.
  expect(caddy).not.toContain("lb_retry_match");
});

it("HAProxy repeats only requests for pages: a call that was carried out before its process died must not be carried out again", () => {
  const file = read("ops/haproxy.cfg");
  const [, paths = ""] = /^ {2}use_backend calls if \{ path_beg (.*) \}$/m.exec(file) ?? [];
  expect(new Set(paths.split(" "))).toEqual(new Set([`${apiPrefix}/`, `${studioApiPrefix}/`]));
  const repeating = [...file.matchAll(/^backend (\S+)(?:\n.*\S.*)*/gm)].filter(([backend]) => backend.includes("retry-on"));
  expect(repeating.map(([, name]) => name)).toEqual(["pages"]);
});

it("the scripts, ports and probes in the manifests exist", () => {
  const manifest = read("ops/kubernetes/parlando.yaml");
  for (const [, script = ""] of manifest.matchAll(/args: \[(\S+)\]/g)) expect([script, existsSync(script)]).toEqual([script, true]);
  const operations = read("src/server/operations.ts");
  const probes = [...manifest.matchAll(/path: (\/\S+?),/g)].map(([, path]) => path);
  expect(new Set(probes)).toEqual(new Set(["/healthz", "/readyz"]));
  for (const path of probes) expect(operations).toContain(`app.get("${path}"`);
  for (const file of ["ops/compose.yml", "ops/compose.full.yml"]) {
    const text = read(file);
    for (const wanted of ["read_only: true", 'cap_drop: ["ALL"]', "no-new-privileges:true", "site"]) expect(text).toContain(wanted);
    for (const [, port] of text.matchAll(/site(?:-[ab])?:(\d+)/g)) expect(port).toBe("3000");
    for (const [, path = ""] of text.matchAll(/"\.(\/[a-z]+):/g)) expect(readdirSync(`ops${path}`).length).toBeGreaterThan(0);
  }
});

const alerts = read("ops/prometheus/alerts.yml");
const dashboard = read("ops/grafana/parlando.json");
const expressions = [
  ...[...alerts.matchAll(/^ +expr: (.+)$/gm)].map(([, expression = ""]) => expression),
  ...[...dashboard.matchAll(/"expr": "((?:[^"\\]|\\.)*)"/g)].map(([, expression = ""]) => expression.replaceAll('\\"', '"')),
];
/** Metrics and labels in a PromQL expression: names that are no functions, keywords, label lists or strings. */
function metricsIn(expression: string): readonly string[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, "")
    .replaceAll(/\b(?:by|without) \([^)]*\)/g, "")
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, "");
  return [...bare.matchAll(/[a-z_][a-z_\d]*(?!\w|\s*\()/g)].map(([name]) => name).filter((name) => /_|^up$/.test(name));
}

async function printed(database: DatabaseKind) {
  const metricsToken = "metrics-token-of-the-operator";
  const own = await createTestStore(database);
  // Uses the primary as the standby, which is never behind.
  const store = own.dialect === "postgres" ? { ...own, standby: own.place } : own;
  const clock = await databaseClock({ store, world: { now: Date.now }, log: { info: () => {}, warn: () => {} } });
  const t = await createTestApp({ database, store, settings: { metricsToken }, parts: { clock } });
  const ask = async () => (await t.app.inject({ url: "/metrics", headers: { authorization: `Bearer ${metricsToken}` } })).body;
  await t.app.inject({ url: "/healthz" });
  const body = await ask();
  return { t, ask, body, names: new Set([...body.matchAll(/^([a-z_\d]+)(?:\{| )/gm)].map(([, name = ""]) => name)) };
}

it("alerts and the dashboard use only exported metrics and labels, and all of ours are used", async () => {
  const seen = await Promise.all(databases.map(printed));
  const names = new Set(seen.flatMap((one) => [...one.names]));
  const text = seen.map(({ body }) => body).join("");
  expect(expressions.length).toBeGreaterThan(20);
  for (const expression of expressions) {
    const asked = metricsIn(expression);
    expect([expression, asked.length > 0]).toEqual([expression, true]);
    // `up` comes from Prometheus.
    expect([expression, asked.filter((name) => name !== "up" && !names.has(name))]).toEqual([expression, []]);
    for (const [, label = "", value = ""] of expression.matchAll(/(box|state)=~?"([^"]+)"/g))
      for (const one of value.split("|"))
        expect([expression, text.includes(`${label}="${one}"`) || !databases.includes("postgres")]).toEqual([expression, true]);
  }
  const ours = [...names].filter((name) => name.startsWith("parlando_") && !/_(sum|count)$/.test(name));
  expect(ours.filter((name) => !expressions.some((expression) => metricsIn(expression).includes(name)))).toEqual([]);
  await Promise.all(seen.map(({ t }) => t.close()));
});

it("the age of the oldest waiting entry grows with the clock, and a missing database hides no other metric", async () => {
  const { t, ask } = await printed("sqlite");
  await t.signUp();
  t.world.pass(90_000);
  expect(await ask()).toMatch(/^parlando_outbox_oldest_seconds\{box="mail"\} 90$/m);
  expect(await ask()).toMatch(/^parlando_outbox_waiting\{box="webhooks"\} 0$/m);
  await t.store.close();
  const gone = await ask();
  expect(gone).toMatch(/^parlando_database_up 0$/m);
  expect(gone).toMatch(/^parlando_requests_total\{/m);
  expect(gone).not.toMatch(/^parlando_outbox_waiting\{/m);
});

it("each alert has a section in the runbook, and each section an alert", () => {
  const named = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  const sections = [...read("docs/runbook.md").matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(named);
});

it.runIf(spawnSync("promtool", ["--version"]).status === 0)("promtool accepts the rules and the settings", () => {
  for (const args of [
    ["check", "rules", "ops/prometheus/alerts.yml"],
    ["check", "config", "--syntax-only", "ops/prometheus/prometheus.yml"],
  ]) {
    const { status, stdout, stderr } = spawnSync("promtool", args, { encoding: "utf8" });
    expect([status, `${stdout}${stderr}`]).toEqual([0, expect.any(String)]);
  }
});
