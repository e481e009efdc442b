/** What single pages say and offer, with what the device remembers of the visitor. */
import { questionnaireFor } from "#content/questionnaires/index.ts";
import { uiTexts } from "#content/texts/ui.ts";
import { compile } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { QuestionInput } from "#core/questionnaire/definition.ts";
import type { State } from "#core/questionnaire/state.ts";
import { type AnyParams, buildPath, type PageRoute } from "#core/routes.ts";
import { mexico, questionnaire, smallQuestionnaire, smallQuestions } from "#test/questionnaires.ts";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test, vi } from "vitest";
import { defaultClientConfig } from "../clientConfig.ts";
import { pages } from "../pages.ts";
import { silentServices } from "../services.ts";
import { frozenSession, renderedSnapshot } from "../session/session.ts";
import { memoryStore, type StorageKey } from "../session/storage.ts";
import { SiteProvider, webSite } from "../siteContext.tsx";

interface Around {
  readonly params?: AnyParams;
  readonly definition?: typeof smallQuestionnaire;
  readonly state?: Partial<State>;
  readonly context?: Partial<Context>;
  readonly stored?: Partial<Record<StorageKey, string>>;
}

/** A page in Latin American Spanish, after hydration. */
async function drawn(route: PageRoute, { params = {}, definition = smallQuestionnaire, state, context, stored = {} }: Around = {}): Promise<string> {
  const compiled = compile(definition);
  const rendered = renderedSnapshot(compiled, { ...mexico, ...context }, "");
  const store = memoryStore();
  for (const [key, value] of Object.entries(stored)) store.set(key as StorageKey, value);
  const site = webSite({
    locale: "es-419",
    texts: uiTexts("es-419"),
    loadMoreTexts: () => Promise.resolve({}),
    session: frozenSession(compiled, { ...rendered, live: true, state: { ...rendered.state, ...state } }),
    services: { ...silentServices(), store },
    client: defaultClientConfig,
    bare: false,
  });
  const { page } = await pages[route]();
  await page.prepare?.(site, params);
  return renderToStaticMarkup(
    <SiteProvider value={site}>
      <page.View params={params} />
    </SiteProvider>,
  );
}
