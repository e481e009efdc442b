/** Loads any version in any locale as visitors get it. The version's page names the module's address. */
import type { Locale } from "#core/locales.ts";
import { compile, type CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import { buildPath } from "#core/routes.ts";
import { pageDataIn } from "../../../page.ts";
import { takeLaterContents } from "../../../laterContents.ts";
import { loadLaterContents, loadQuestionnaire } from "../../../questionnaireModule.ts";

/** Throws if the version has no page. */
export async function fetchQuestionnaire(version: string, locale: Locale, signal: AbortSignal): Promise<CompiledQuestionnaire> {
  const path = buildPath("questionnaire/root", locale, { version });
  const response = await fetch(path, { signal });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const data = pageDataIn(page);
  if (data.params.version !== version || data.locale !== locale) throw new Error(`${path} shows ${data.params.version} in ${data.locale}`);
  const [definition, later] = await Promise.all([loadQuestionnaire(data.questionnaireUrl), loadLaterContents(data.laterContentsUrl)]);
  return compile(takeLaterContents(definition, later));
}
