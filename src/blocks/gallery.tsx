/** Every block with every example, for developers and designers: `/dev/blocks`. */
import { type Locale, locales, localeTraits } from "#core/locales.ts";
import type { PictureSource } from "#core/pictures.ts";
import { type Theme, themes } from "#core/questionnaire/definition.ts";
import { plainText, type Text, type TextValues } from "#core/text.ts";
import { useState } from "react";
import type { BlockExample, SignupFields } from "./block.ts";
import { type ExampleContent, examplesOf } from "./examples.ts";
import { pageStates, exampleContext, exampleFields, exampleOffer, exampleSchedules, exampleSite, exampleState } from "./exampleSite.ts";
import styles from "./gallery.module.css";
import { type BlockType, blockTypes, isBlockType } from "./specs.ts";
import { parseContent, validateContent } from "./allContents.ts";
import type { BlockSite } from "./view.ts";
import { Block } from "./Block.tsx";
import { blockViews } from "./views.tsx";

export interface GalleryProps {
  /** The query: `theme`, `locale`, `width`, `type`, and `frame` for the examples alone. */
  readonly query: URLSearchParams;
  /** The interface's texts, by key. */
  readonly texts: (locale: Locale) => Readonly<Record<string, Text>>;
  /** Null for an unknown name. */
  readonly picture: (name: string) => PictureSource | null;
}

const widths = ["390", "768", "1280"] as const;

function choice<Value extends string>(query: URLSearchParams, name: string, values: readonly Value[], fallback: Value): Value {
  return values.find((value) => value === query.get(name)) ?? fallback;
}

export function Gallery({ query, texts, picture }: GalleryProps) {
  const theme = choice(query, "theme", themes, "parlando");
  const locale = choice(query, "locale", locales, "es-419");
  const type = query.get("type") ?? "";
  const types = isBlockType(type) ? [type] : blockTypes;
  if (query.has("frame")) return <Examples {...{ types, theme, locale, texts, picture }} />;

  const width = choice(query, "width", widths, "390");
  const chosen = { theme, locale, width, type };
  const selects: readonly { readonly name: keyof typeof chosen; readonly values: readonly string[] }[] = [
    { name: "type", values: ["", ...blockTypes] },
    { name: "theme", values: themes },
    { name: "locale", values: locales },
    { name: "width", values: widths },
  ];
  return (
    <div className={styles["gallery"]}>
      <form method="get" className={styles["choices"]} onChange={(event) => event.currentTarget.requestSubmit()}>
        <h1>Blocks</h1>
        {selects.map(({ name, values }) => (
          <label key={name}>
            {name}
            <select name={name} defaultValue={chosen[name]}>
              {values.map((value) => (
                <option key={value} value={value}>
                  {value || "all"}
                </option>
              ))}
            </select>
          </label>
        ))}
        <noscript>
          <button>Show</button>
        </noscript>
      </form>
      <iframe
        title="Examples"
        sandbox="allow-scripts allow-same-origin allow-forms"
        className={styles["frame"]}
        style={{ width: `${width}px` }}
        src={`?${new URLSearchParams({ ...chosen, frame: "" })}`}
      />
    </div>
  );
}

interface ExamplesProps extends Omit<GalleryProps, "query"> {
  readonly types: readonly BlockType[];
  readonly theme: Theme;
  readonly locale: Locale;
}

function Examples({ types, theme, locale, texts, picture }: ExamplesProps) {
  return (
    <main className={styles["examples"]} data-theme={theme} lang={locale}>
      {types.map((type) => (
        <section key={type} className={styles["type"]} id={type} aria-label={type}>
          {shownOf(type).map(({ example, site, platform }, index) => (
            <LiveExample
              key={index}
              id={`${type}-${index}`}
              example={example}
              locale={locale}
              texts={texts}
              picture={picture}
              site={site}
              platform={platform}
            />
          ))}
        </section>
      ))}
    </main>
  );
}

interface ShownExample {
  readonly example: BlockExample<ExampleContent>;
  readonly site?: Partial<BlockSite>;
  readonly platform?: "android" | "apple" | "other";
}

/** The shown examples of a type: all valid ones, then the first one again in each unusual page state. */
export function shownOf(type: BlockType): readonly ShownExample[] {
  const { valid } = examplesOf(type);
  const [first] = valid;
  const others = first ? (pageStates[type] ?? []).map(({ name, ...around }) => ({ example: { ...first, name }, ...around })) : [];
  return [...valid.map((example) => ({ example })), ...others];
}

interface LiveExampleProps {
  readonly id: string;
  readonly example: BlockExample<ExampleContent>;
  /** The locale around the example, unless the example has its own. */
  readonly locale: Locale;
  readonly texts: GalleryProps["texts"];
  readonly picture: GalleryProps["picture"];
  readonly site?: Partial<BlockSite> | undefined;
  readonly platform?: ShownExample["platform"] | undefined;
}

/** One interactive example with its status. The button resets it. */
export function LiveExample(props: LiveExampleProps) {
  const [round, setRound] = useState(0);
  return <Round key={round} {...props} onRestart={() => setRound(round + 1)} />;
}

function Round({
  id,
  example,
  texts,
  picture,
  site,
  platform,
  onRestart,
  ...around
}: LiveExampleProps & { readonly onRestart: () => void }) {
  const locale = example.locale ?? around.locale;
  const t = (key: string, values: TextValues = {}) => plainText(texts(locale)[key] ?? key, values, localeTraits[locale].intl);
  const content = parseContent(example.content);
  const [state, setState] = useState({ ...exampleState, ...example.state });
  const [fields, setFields] = useState<SignupFields>({ ...exampleFields, ...example.fields });
  const [productId, setProductId] = useState(exampleOffer.selected?.productId);
  const [done, setDone] = useState(example.done ?? false);
  const [submitted, setSubmitted] = useState(false);
  const context = { ...exampleContext(locale), ...(platform && { platform }) };
  const status = validateContent(content.type, content, { state, context, done, fields });
  const live: Partial<BlockSite> = {
    onDone: () => setDone(true),
    submit: () => setSubmitted(true),
    chooseSchedule: (schedule) => {
      const chosen = exampleSchedules.find(({ id: scheduleId }) => scheduleId === schedule);
      setState({ ...state, schedule, ...(chosen && { studySchedule: chosen }) });
    },
    chooseDays: (days) => setState({ ...state, days: [...days] }),
    toggleListItem: (list, item) =>
      setState({ ...state, [list]: state[list].includes(item) ? state[list].filter((other) => other !== item) : [...state[list], item] }),
    signup: {
      fields,
      setField: (field, value) => setFields({ ...fields, [field]: value }),
      errors: {},
      onBlur: () => {},
      onEnter: () => {},
    },
    offer: {
      ...exampleOffer,
      selected: exampleOffer.products.find((product) => product.productId === productId) ?? null,
      select: setProductId,
    },
    ...site,
  };
  return (
    <article className={styles["example"]} data-example={id} data-status={status} lang={locale}>
      <p className={styles["name"]}>
        <span>
          <b>{content.type}</b> {example.name}
        </span>
        <span className={styles["status"]} data-status={submitted ? "pass" : status}>
          {submitted ? "submitted" : status}
        </span>
        <button type="button" onClick={onRestart}>
          again
        </button>
      </p>
      <Block
        views={blockViews}
        content={content}
        id={id}
        state={state}
        context={context}
        status={status}
        done={done}
        site={exampleSite({ locale, t, picture, state, site: live })}
      />
    </article>
  );
}
