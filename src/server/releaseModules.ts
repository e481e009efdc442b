/** The modules that a page of an older release loads in place of the build's own (decision 195). */
import { isLocale } from "#core/locales.ts";
import { releaseModules, type Site } from "#core/page.ts";
import type { FastifyInstance } from "fastify";
import { answerRefusal } from "./failures.ts";
import type { Limits } from "./base/limits.ts";
import { refuse } from "./base/refusal.ts";
import { networkOf } from "./base/visitor.ts";
import type { Turns } from "./turns.ts";
import type { Releases } from "./releases/releases.ts";

/** How long browsers cache a module, s. Another build may generate other code for the same release. */
const keptFor = 3_600;

/** The parts of the path (`releaseModulePath`). */
interface Asked {
  readonly release: string;
  readonly locale: string;
}

export interface ReleaseModuleParts {
  readonly releases: Pick<Releases, "older">;
  readonly limits: Pick<Limits, "take">;
  readonly turns: Turns;
}

export function registerReleaseModules(files: FastifyInstance, site: Site, { releases, limits, turns }: ReleaseModuleParts): void {
  for (const module of releaseModules)
    files.get<{ Params: Asked }>(`/releases/:release/${module}-:locale.js`, async ({ params, ip }, reply) => {
      const network = networkOf(ip);
      const tooMany = await limits.take("page.network", network);
      if (tooMany) return answerRefusal(reply, tooMany);
      const { locale } = params;
      const { releaseModule } = site;
      const release = await releases.older(params.release);
      if (release === null || !isLocale(locale) || releaseModule === undefined) return answerRefusal(reply, refuse("notFound"));
      return reply
        .header("cache-control", `public, max-age=${keptFor}`)
        .type("text/javascript; charset=utf-8")
        .send(await turns.make(network, async () => releaseModule(release, module, locale)));
    });
}
