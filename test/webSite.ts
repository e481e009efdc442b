/** For tests: the site context of a page, with its own device, the small questionnaire and no outside services. */
import { uiTexts } from "#content/texts/ui.ts";
import type { Locale } from "#core/locales.ts";
import { compile } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { Questionnaire } from "#core/questionnaire/definition.ts";
import type { State } from "#core/questionnaire/state.ts";
import type { Text } from "#core/text.ts";
import { type ClientConfig, defaultClientConfig } from "#web/clientConfig.ts";
import { type Services, silentServices } from "#web/services.ts";
import { frozenSession, renderedSnapshot, type Session } from "#web/session/session.ts";
import { type WebSite, webSite } from "#web/siteContext.tsx";
import { mexico, smallQuestionnaire } from "./questionnaires.ts";

type Texts = Readonly<Record<string, Text>>;

export interface SiteParts {
  readonly locale?: Locale;
  readonly texts?: Texts;
  readonly loadMoreTexts?: () => Promise<Texts>;
  readonly definition?: Questionnaire;
  readonly context?: Partial<Context> | undefined;
  readonly state?: Partial<State> | undefined;
  /** Replacements for parts of the session, which is static after hydration. */
  readonly session?: Partial<Session>;
  readonly services?: Partial<Services>;
  readonly client?: Partial<ClientConfig>;
}

export function testSite({ locale = "es-419", definition = smallQuestionnaire, context, state, ...parts }: SiteParts = {}): WebSite {
  const { texts = uiTexts(locale), loadMoreTexts = () => Promise.resolve({}) } = parts;
  const compiled = compile(definition);
  const rendered = renderedSnapshot(compiled, { ...mexico, locale, ...context }, "");
  return webSite({
    locale,
    texts,
    loadMoreTexts,
    loadLaterContents: () => Promise.resolve(null),
    session: { ...frozenSession(compiled, { ...rendered, live: true, state: { ...rendered.state, ...state } }), ...parts.session },
    services: { ...silentServices(), ...parts.services },
    client: { ...defaultClientConfig, ...parts.client },
    bare: false,
  });
}
