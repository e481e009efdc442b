/** The home page: a hero with the first question, then the program (spec 001 §2). */
import { formatsFor } from "#core/formats.ts";
import { isVersionName, traitsOf } from "#content/questionnaires/known.ts";
import type { UiKey } from "#content/texts/ui.ts";
import { brand } from "#content/brand.ts";
import { pictures } from "#content/media/manifest.ts";
import { localeTraits } from "#core/locales.ts";
import { QuestionnaireError } from "#core/questionnaire/error.ts";
import { placeholderValues } from "#core/questionnaire/placeholders.ts";
import { selectedOption, visibleOptions } from "#core/questionnaire/requirements.ts";
import type { State } from "#core/questionnaire/state.ts";
import { buildPath } from "#core/routes.ts";
import { fillText, type Text } from "#core/text.ts";
import { Tag } from "#ui/Tag.tsx";
import { Button } from "#ui/Button.tsx";
import { Icon, type IconName } from "#ui/Icon.tsx";
import { Picture } from "#ui/Picture.tsx";
import { richText } from "#ui/richText.tsx";
import { useState } from "react";
import heroLeft from "../../../content/media/sources/hero-left.svg?raw";
import heroRight from "../../../content/media/sources/hero-right.svg?raw";
import { goToPath, questionPath } from "../../navigation.ts";
import type { Page } from "../../page.ts";
import { storedProgress } from "../../device/storedState.ts";
import { Footer } from "../../shell/Footer.tsx";
import { SiteHeader } from "../../shell/SiteHeader.tsx";
import { useSession, useSite } from "../../siteContext.tsx";
import { embeddedLink } from "../questionnaire/question/options.ts";
import { Options } from "../questionnaire/question/Options.tsx";
import styles from "./home.module.css";

const points = [
  { icon: "messages-square", title: "home.point1.title", text: "home.point1.text" },
  { icon: "mic", title: "home.point2.title", text: "home.point2.text" },
  { icon: "chart-line", title: "home.point3.title", text: "home.point3.text" },
] as const satisfies readonly { readonly icon: IconName; readonly title: UiKey; readonly text: UiKey }[];

const steps = [
  { title: "home.step1.title", text: "home.step1.text" },
  { title: "home.step2.title", text: "home.step2.text" },
  { title: "home.step3.title", text: "home.step3.text" },
  { title: "home.step4.title", text: "home.step4.text" },
] as const satisfies readonly { readonly title: UiKey; readonly text: UiKey }[];

const afterFirstScreen = "program";

function View() {
  const { t, rich, session } = useSite();
  const { definition } = session.compiled;
  const kept = useKept();
  const start = useStart();
  const onward = useOnward(kept);
  return (
    <>
      <SiteHeader />
      <main id="main" tabIndex={-1} data-route="home" data-version={definition.id} data-question-id={definition.embeddedQuestion}>
        <section className={styles["hero"]}>
          <div className={styles["words"]}>
            <h1 tabIndex={-1}>{rich("home.title")}</h1>
            <p>{t("home.text")}</p>
          </div>
          <HeroScene />
          <FirstQuestion keptVersion={kept?.id ?? definition.id} onward={onward} />
        </section>

        <section id={afterFirstScreen} className={styles["band"]}>
          <div className={styles["in"]}>
            <div>
              <h2>{t("home.lady.title")}</h2>
              <p>{t("home.lady.text")}</p>
              <a className={styles["more"]} href="#steps">
                {t("home.lady.go")} <Icon name="arrow-right" />
              </a>
            </div>
            <Cut name="celebrate" alt={t("home.lady.alt")} />
          </div>
        </section>

        <Points />

        <section className={`${styles["band"]} ${styles["second"]}`}>
          <div className={styles["in"]}>
            <Cut name="coffee" alt={t("home.man.alt")} />
            <div>
              <h2>{t("home.man.title")}</h2>
              <p>{t("home.man.text")}</p>
              <a className={styles["more"]} href={onward?.path ?? start}>
                {t(onward?.label ?? "home.man.go")} <Icon name="arrow-right" />
              </a>
            </div>
          </div>
        </section>

        <Steps />

        <Business />

        <section className={styles["final"]}>
          <h2>{t("home.final.title")}</h2>
          {onward === null && <p>{t("home.final.text")}</p>}
          <Button arrow href={onward?.path ?? start} className={styles["go"]}>
            {t(onward?.label ?? "home.final.go")}
          </Button>
        </section>
        {onward !== null && (
          <div className={styles["resume"]} data-bar>
            <Button arrow href={onward.path}>
              {t(onward.label)}
            </Button>
          </div>
        )}
      </main>
      <Footer />
    </>
  );
}

/** The program's selling points. */
function Points() {
  const { t } = useSite();
  return (
    <section className={styles["section"]} aria-labelledby="points">
      <h2 id="points">{t("home.points.title")}</h2>
      <ul role="list" className={styles["points"]}>
        {points.map(({ icon, title, text }) => (
          <li key={title}>
            <span className={styles["tile"]}>
              <Icon name={icon} />
            </span>
            <h3>{t(title)}</h3>
            <p>{t(text)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The steps from the first question to the first conversation, and the program's badges. */
function Steps() {
  const { t, client } = useSite();
  return (
    <section className={styles["section"]} aria-labelledby="steps">
      <h2 id="steps">{t("home.steps.title")}</h2>
      <ol role="list" className={styles["steps"]}>
        {steps.map(({ title, text }, index) => (
          <li key={title}>
            <span className={styles["number"]} aria-hidden="true">
              {index + 1}
            </span>
            <h3>{t(title)}</h3>
            <p>{t(text)}</p>
          </li>
        ))}
      </ol>
      {(brand.isOwn.badges || client.examples) && (
        <>
          <ul role="list" className={styles["badges"]}>
            <Badge name="badge-award" text={t("home.badge.award")} />
            <Badge name="badge-patent" text={t("home.badge.patent")} />
          </ul>
          {!brand.isOwn.badges && <Tag className={styles["example"]}>{t("home.badge.example")}</Tag>}
        </>
      )}
    </section>
  );
}

/** The offer for teams. */
function Business() {
  const { locale, t } = useSite();
  return (
    <section className={styles["section"]}>
      <div className={styles["business"]}>
        <div>
          <h2>{t("home.business.title")}</h2>
          <p>{t("home.business.text")}</p>
          <Button kind="secondary" icon="mail" href={`mailto:${brand.company.businessEmail[locale]}`} className={styles["write"]}>
            {t("home.business.go")}
          </Button>
        </div>
        <Cut name="office" alt={t("home.business.alt")} />
      </div>
    </section>
  );
}

/** The link of a button that names no option: the embedded question with its first option, or the first question if none can be embedded. */
function useStart(): string {
  const site = useSite();
  const { context } = useSession();
  const { compiled } = site.session;
  try {
    return embeddedLink(site, compiled, context);
  } catch (error) {
    if (!(error instanceof QuestionnaireError)) throw error;
    console.warn(error.message);
    return questionPath(site.locale, compiled.definition.id, compiled.definition.initialQuestion);
  }
}

/** The stored answers, in any of our versions; null without answers and until hydration. */
function useKept(): Pick<State, "id" | "currentQuestionId"> | null {
  const { services } = useSite();
  const { live } = useSession();
  const stored = live ? storedProgress(services.store) : null;
  const ours = stored !== null && isVersionName(stored.id) && traitsOf(stored.id).externalSite === null;
  return ours ? stored : null;
}

interface Onward {
  readonly path: string;
  readonly label: UiKey;
}

/** Where a visitor who has been here continues: a buyer at their plan, others at the question where they left. */
function useOnward(kept: Pick<State, "id" | "currentQuestionId"> | null): Onward | null {
  const { locale, services } = useSite();
  const { live } = useSession();
  if (live && services.store.get("paymentStatus") === "completed")
    return { path: buildPath("handle-your-subscription", locale), label: "subscription.title" };
  return kept && { path: questionPath(locale, kept.id, kept.currentQuestionId), label: "question.onward" };
}

/** Two people talk in English: one makes an offer, the other accepts. */
function HeroScene() {
  const { t } = useSite();
  return (
    <div className={styles["scene"]} role="img" aria-label={t("home.hero.alt")}>
      <div className={styles["left"]}>
        <HeroDrawing name="hero-left" />
      </div>
      <div className={styles["right"]}>
        <HeroDrawing name="hero-right" />
      </div>
      <span className={styles["ask"]} lang="en">
        {t("home.bubble.ask")}
      </span>
      <span className={styles["answer"]} lang="en">
        {t("home.bubble.answer")}
      </span>
    </div>
  );
}

const drawings = { "hero-left": heroLeft, "hero-right": heroRight };

/** The drawing in the page's HTML. The scripts have no copy of it: the browser reads the one that the page contains. */
function inlineDrawing(name: keyof typeof drawings): string | null {
  if (import.meta.env.SSR) return drawings[name];
  return document.querySelector(`[data-drawing="${name}"]`)?.innerHTML ?? null;
}

/** A drawing within the page, so that it is painted together with the text. A page that the browser renders anew loads it as a picture. */
function HeroDrawing({ name }: { readonly name: keyof typeof drawings }) {
  const { locale } = useSite();
  const [inline] = useState(() => inlineDrawing(name));
  const source = pictures[name];
  if (inline !== null) return <div className={styles["clip"]} data-drawing={name} dangerouslySetInnerHTML={{ __html: inline }} />;
  return <div className={styles["clip"]}>{source && <Picture source={source} locale={locale} alt="" eager />}</div>;
}

/** The embedded question. Its answers lead into the questionnaire. */
function FirstQuestion({ keptVersion, onward }: { readonly keptVersion: string; readonly onward: Onward | null }) {
  const site = useSite();
  const { locale, session, services } = site;
  const formats = formatsFor(locale);
  const { compiled } = session;
  const { embeddedQuestion } = compiled.definition;
  const { state, context, busy, live } = useSession();
  const question = compiled.question(embeddedQuestion);
  if (question === undefined || question.options.length === 0) return null;
  const values = placeholderValues({ compiled, state, context, formats });
  const text = (value: Text) => richText(fillText(value, values, localeTraits[locale].intl));
  const heading = question.contents.find((content) => content.type === "title");
  const headingText = heading && "text" in heading ? heading["text"] : undefined;
  return (
    <div className={styles["question"]}>
      <h2>{isText(headingText) && text(headingText)}</h2>
      <Options
        question={{ tiles: true }}
        options={visibleOptions(compiled, question, state, context)}
        chosen={live ? (selectedOption(state, embeddedQuestion) ?? null) : null}
        busy={busy}
        linkOf={(option) => (state.signupDone ? null : embeddedLink(site, compiled, context, option))}
        onChoose={(option) => {
          const here = { locale, version: compiled.definition.id };
          // After sign-up, another first answer would erase the account's later ones. The home page does not ask for confirmation, so it goes on (decision 007).
          if (state.signupDone && state.selectedOptions.length > 0 && onward !== null) goToPath(onward.path, here);
          // A visitor with answers in another version continues there: that version's root takes over the answer.
          else if (keptVersion === compiled.definition.id) {
            // Reported here, because the next question shows in place: no page of the version loads that would report it.
            services.track({ eventType: "GetQuestionnaire", payload: {} });
            void session.choose(embeddedQuestion, option.id);
          } else {
            const root = buildPath("questionnaire/root", locale, { version: keptVersion });
            goToPath(`${root}?a=${embeddedQuestion}.${option.id}`, here);
          }
        }}
        text={text}
      />
      {/* The footnote says how long this version takes. It is hidden from visitors with answers in another version, who continue there. */}
      <p className={styles["note"]} style={keptVersion === compiled.definition.id ? undefined : { visibility: "hidden" }}>
        <Icon name="clock" /> {question.footnote !== undefined && text(question.footnote)}
      </p>
    </div>
  );
}

function isText(value: unknown): value is Text {
  return typeof value === "string" || Array.isArray(value);
}

/** A figure cut by the lower edge of its section. */
function Cut({ name, alt }: { readonly name: string; readonly alt: string }) {
  const { locale } = useSite();
  const source = pictures[name];
  return <div className={styles["cut"]}>{source && <Picture source={source} locale={locale} alt={alt} />}</div>;
}

function Badge({ name, text }: { readonly name: string; readonly text: string }) {
  const { locale } = useSite();
  const source = pictures[name];
  return (
    <li>
      {source && <Picture source={source} locale={locale} alt="" />}
      <span>{text}</span>
    </li>
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.home.title"),
  description: ({ t }) => t("meta.home.description"),
  afterFirstScreen,
  View,
};
