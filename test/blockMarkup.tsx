/** Renders one block as the server does, in a real locale with its texts. */
import { exampleContext, exampleSite, exampleState } from "#blocks/exampleSite.ts";
import { Block } from "#blocks/Block.tsx";
import type { BlockContentInput } from "#blocks/specs.ts";
import { parseContent } from "#blocks/allContents.ts";
import type { BlockSite } from "#blocks/view.ts";
import { blockViews } from "#blocks/views.tsx";
import { pictures } from "#content/media/manifest.ts";
import { levelsIn } from "#content/questionnaires/base/level.ts";
import { textIn } from "#content/texts/load.ts";
import { questionnaireTexts } from "#content/texts/questionnaire.ts";
import { uiTexts } from "#content/texts/ui.ts";
import { type Locale, localeTraits } from "#core/locales.ts";
import type { Context } from "#core/questionnaire/context.ts";
import type { State } from "#core/questionnaire/state.ts";
import { plainText, type Text } from "#core/text.ts";
import { renderToStaticMarkup } from "react-dom/server";

interface MarkupOptions {
  readonly locale?: Locale;
  readonly context?: Partial<Context>;
  readonly state?: Partial<State>;
  readonly site?: Partial<BlockSite>;
}

export function blockMarkup(input: BlockContentInput, { locale = "es-419", context, state, site }: MarkupOptions = {}): string {
  const texts: Readonly<Record<string, Text>> = uiTexts(locale);
  return renderToStaticMarkup(
    <Block
      views={blockViews}
      content={parseContent(input)}
      id="block"
      state={{ ...exampleState, ...state }}
      context={{ ...exampleContext(locale), ...context }}
      status="pass"
      done={false}
      site={exampleSite({
        state: { ...exampleState, ...state },
        locale,
        t: (key, values = {}) => plainText(texts[key] ?? key, values, localeTraits[locale].intl),
        picture: (name) => pictures[name] ?? null,
        site: { levels: levelsIn((key) => textIn(questionnaireTexts, locale, key)), ...site },
      })}
    />,
  );
}

/** The text for a screen reader: without tags and hidden elements, with white space collapsed. */
export function readText(markup: string): string {
  return markup
    .replaceAll(/<(\w+)[^>]*aria-hidden="true"[^>]*>[^<]*<\/\1>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ([.,])/g, "$1")
    .trim();
}
