/** Serves one page at `/studio` and below; its script shows the screen that the address names. Other routes serve its files. */
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
    // In development the page is rebuilt while it is edited.
    const page = settings.developing ? read() : built;
    return page === null
      ? answerRefusal(reply, refuse("notFound"))
      : reply.headers(headers).header("cache-control", "no-store").header("content-type", "text/html; charset=utf-8").send(page);
  };
  for (const url of ["/studio", "/studio/", "/studio/*"]) app.get(url, { config: { key: "studio" } }, answer);
}
