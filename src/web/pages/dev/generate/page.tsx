/** Generates a visitor in any state: version, locale, country, answers, account, entitlement. Opens it here or copies its link. */
import { traitsOf, versionNames } from "#content/questionnaires/known.ts";
import { marketingConsentCountries } from "#core/countries.ts";
import { isLocale, type Locale, locales } from "#core/locales.ts";
import { encodeAnswers } from "#core/questionnaire/answer-code.ts";
import type { CompiledQuestionnaire } from "#core/questionnaire/compile.ts";
import type { Context } from "#core/questionnaire/context.ts";
import { buildPath } from "#core/routes.ts";
import { useEffect, useEffectEvent, useState } from "react";
import { questionPath } from "../../../navigation.ts";
import type { Page } from "../../../page.ts";
import { useSession, useSite } from "../../../siteContext.tsx";
import styles from "../dev.module.css";
import { Frame } from "../Frame.tsx";
import { fetchQuestionnaire } from "./questionnaire.ts";
import { becomeVisitor } from "./visitor.ts";
import { walkTo } from "./walk.ts";

const versions = versionNames.filter((name) => traitsOf(name).externalSite === null);
const countries = ["MX", "AR", "CO", "CL", "PE", "BR", "ES", "IT", "DE", "CH", "US", "GB"];

interface Settings {
  readonly version: string;
  readonly locale: string;
  readonly country: string;
  readonly question: string;
  readonly account: "none" | "signed up" | "entitled";
}

interface Fetched {
  readonly compiled: CompiledQuestionnaire;
  readonly locale: Locale;
}

/** The chosen questionnaire in the chosen locale; null until it has loaded. */
function useQuestionnaire(version: string, locale: Locale, onError: (error: unknown) => void): CompiledQuestionnaire | null {
  const { live } = useSession();
  const [fetched, setFetched] = useState<Fetched | null>(null);
  const failed = useEffectEvent(onError);
  useEffect(() => {
    const control = new AbortController();
    fetchQuestionnaire(version, locale, control.signal).then(
      (questionnaire) => setFetched({ compiled: questionnaire, locale }),
      (error: unknown) => !control.signal.aborted && failed(error),
    );
    return () => control.abort();
  }, [version, locale]);
  return live && fetched?.locale === locale && fetched.compiled.definition.id === version ? fetched.compiled : null;
}

/** The settings in a copied link, which generates the same visitor in another browser. */
function settingsFrom(query: URLSearchParams): Partial<Settings> {
  const account = (["none", "signed up", "entitled"] as const).find((name) => name === query.get("account"));
  const given = Object.fromEntries(
    (["version", "locale", "country", "question"] as const).flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? ""]] : [])),
  );
  return { ...given, ...(account === undefined ? {} : { account }) };
}

function View() {
  const site = useSite();
  const { live, context: device } = useSession();
  const [settings, setSettings] = useState<Settings>({
    version: site.session.compiled.definition.id,
    locale: site.locale,
    country: "MX",
    question: "2",
    account: "none",
  });
  const [said, setSaid] = useState("");
  const change = (changes: Partial<Settings>) => setSettings((known) => ({ ...known, ...changes }));

  const locale = isLocale(settings.locale) ? settings.locale : site.locale;
  const version = versions.find((name) => name === settings.version) ?? site.session.compiled.definition.id;
  const fetched = useQuestionnaire(version, locale, (error) => setSaid(String(error)));
  const here = fetched !== null;
  // Until the chosen questionnaire has loaded, no visitor can be generated.
  const compiled = fetched ?? site.session.compiled;
  const context: Context = {
    ...device,
    locale,
    country: settings.country,
    requiresMarketingConsent: marketingConsentCountries.has(settings.country),
  };
  const state = here ? walkTo(compiled, Number(settings.question), context) : null;
  const path = questionPath(locale, compiled.definition.id, Number(settings.question));
  const again = live ? `${location.origin}${buildPath("dev/generate", site.locale)}?${new URLSearchParams({ ...settings, go: "" })}` : "";
  const plain = state === null || !live ? "" : `${location.origin}${path}?a=${encodeAnswers(state)}`;

  async function open() {
    if (state === null) return setSaid("No path leads to this question.");
    setSaid("One moment…");
    try {
      await becomeVisitor(site.services, compiled, context, state, {
        signedUp: settings.account !== "none",
        entitled: settings.account === "entitled",
      });
      location.assign(path);
    } catch (error) {
      setSaid(String(error));
    }
  }
  const copy = (link: string) => navigator.clipboard.writeText(link).then(() => setSaid(`Copied: ${link}`));

  const [going, setGoing] = useState(false);
  useEffect(() => {
    const query = new URLSearchParams(location.search);
    change(settingsFrom(query));
    setGoing(query.has("go"));
  }, []);
  const goOnce = useEffectEvent(() => void open());
  useEffect(() => {
    if (going && here) goOnce();
  }, [going, here]);

  return (
    <Frame route="dev/generate" title="Generate a visitor">
      <Form settings={settings} questions={compiled.definition.questions} ready={here} onChange={change} onOpen={() => void open()} />
      <div className={styles["buttons"]}>
        <button type="button" disabled={state === null} onClick={() => void copy(again)}>
          Copy the link that makes it
        </button>
        <button type="button" disabled={state === null || settings.account !== "none"} onClick={() => void copy(plain)}>
          Copy the link with the answers
        </button>
      </div>
      <p role="status">{said}</p>
      <h2>State</h2>
      <pre>{state === null ? (here ? "No path leads to this question." : "") : JSON.stringify(state, null, 2)}</pre>
    </Frame>
  );
}

function Form({
  settings,
  questions,
  ready,
  onChange,
  onOpen,
}: {
  readonly settings: Settings;
  readonly questions: CompiledQuestionnaire["definition"]["questions"];
  readonly ready: boolean;
  readonly onChange: (changes: Partial<Settings>) => void;
  readonly onOpen: () => void;
}) {
  const choices = [
    ["version", versions],
    ["locale", locales],
    ["country", countries],
    ["question", questions.map(({ id }) => String(id))],
  ] as const;
  return (
    <form
      className={styles["form"]}
      onSubmit={(event) => {
        event.preventDefault();
        onOpen();
      }}
    >
      {choices.map(([name, values]) => (
        <label key={name}>
          {name}
          <select value={settings[name]} onChange={({ target }) => onChange({ [name]: target.value })}>
            {values.map((value) => (
              <option key={value}>{value}</option>
            ))}
          </select>
        </label>
      ))}
      <label>
        account
        <select
          value={settings.account}
          onChange={({ target: { value } }) => onChange({ account: value === "entitled" || value === "signed up" ? value : "none" })}
        >
          <option>none</option>
          <option>signed up</option>
          <option>entitled</option>
        </select>
      </label>
      <button type="submit" disabled={!ready}>
        Open
      </button>
    </form>
  );
}

export const page: Page = { title: () => "Generate a visitor", View };
