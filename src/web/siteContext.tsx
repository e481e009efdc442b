/** The context of every page: session, services and texts. */
import type { UiKey } from "#content/texts/ui.ts";
import { type Locale, localeTraits } from "#core/locales.ts";
import { fillText, plainText, type Text, type TextValues } from "#core/text.ts";
import { richText } from "#ui/richText.tsx";
import { createContext, type ReactNode, use, useSyncExternalStore } from "react";
import type { ClientConfig } from "./clientConfig.ts";
import { type LaterContents, takeLaterContents } from "./laterContents.ts";
import type { Services } from "./services.ts";
import type { Session, Snapshot } from "./session/session.ts";

export interface WebSite {
  readonly locale: Locale;
  /** An interface text; a missing key logs a warning and shows the key (spec 000 §8). */
  readonly t: (key: UiKey, values?: TextValues) => string;
  /** Like `t`, for keys that blocks name. */
  readonly say: (key: string, values?: TextValues) => string;
  /** Like `t`, with inline tags as elements. */
  readonly rich: (key: UiKey, values?: TextValues) => ReactNode;
  /** Loads the texts that ordinary questions do not need. */
  readonly moreTexts: () => Promise<void>;
  /** Loads later questions, which are outlines until then (`laterContents.ts`). */
  readonly laterContents: () => Promise<void>;
  readonly session: Session;
  readonly services: Services;
  readonly client: ClientConfig;
  /** The query has `hf`: the navbar is hidden (spec 001 §2). */
  readonly bare: boolean;
}

type Texts = Readonly<Record<string, Text>>;

export function webSite(
  parts: Pick<WebSite, "locale" | "session" | "services" | "client" | "bare"> & {
    readonly texts: Texts;
    readonly loadMoreTexts: () => Promise<Texts>;
    /** Null if the questionnaire is whole. */
    readonly loadLaterContents: () => Promise<LaterContents | null>;
  },
): WebSite {
  const { loadMoreTexts, loadLaterContents, ...rest } = parts;
  let { texts } = parts;
  let complete: Promise<void> | null = null;
  const intl = localeTraits[parts.locale].intl;
  const text = (key: string): Text => {
    const found = texts[key];
    if (found === undefined) console.warn(`Missing text "${key}" in ${parts.locale}`);
    return found ?? key;
  };
  const say: WebSite["say"] = (key, values = {}) => plainText(text(key), values, intl);
  const moreTexts = () => {
    complete ??= loadMoreTexts().then((more) => void (texts = { ...texts, ...more }));
    // After a failure, the next call tries again.
    complete.catch(() => (complete = null));
    return complete;
  };
  return {
    ...rest,
    moreTexts,
    async laterContents() {
      const later = await loadLaterContents();
      if (later !== null) takeLaterContents(parts.session.compiled.definition, later);
    },
    say,
    t: say,
    rich: (key, values = {}) => richText(fillText(text(key), values, intl)),
  };
}

export const SiteContext = createContext<WebSite | null>(null);
export const SiteProvider = SiteContext.Provider;

export function useSite(): WebSite {
  const site = use(SiteContext);
  if (site === null) throw new Error("No SiteProvider around this page");
  return site;
}

/** The session's snapshot. Until hydration it is the server's. */
export function useSession(): Snapshot {
  const { session } = useSite();
  return useSyncExternalStore(session.subscribe, session.snapshot, session.rendered);
}
