/** `/studio` and all below it is one page, which then shows what its address names; its files are served with the others. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { refuse } from "./base/refusal.ts";
import type { Settings } from "./base/settings.ts";
import { answerRefusal } from "./failures.ts";
import { studioHeaders } from "./security.ts";

export async function registerStudioPage(app: FastifyInstance, settings: Settings, buildDir: string | null): Promise<void> {
  const file = buildDir === null ? null : join(buildDir, "studio/index.html");
  const read = () => (file !== null && existsSync(file) ? readFileSync(file, "utf8") : null);
  const built = read();
  const headers = studioHeaders(settings);
  const answer = async (_request: FastifyRequest, reply: FastifyReply) => {
    // It is built again while one works on it.
    const page = settings.developing ? read() : built;
    return page === null
      ? answerRefusal(reply, refuse("notFound"))
      : reply.headers(headers).header("cache-control", "no-store").header("content-type", "text/html; charset=utf-8").send(page);
  };
  for (const url of ["/studio", "/studio/", "/studio/*"]) app.get(url, { config: { key: "studio" } }, answer);
}
