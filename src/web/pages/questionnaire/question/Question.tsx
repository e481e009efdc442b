import { isTitle } from "#blocks/contents.ts";
import type { BlockContent } from "#blocks/specs.ts";
import { pictures } from "#content/media/manifest.ts";
import type { Option, Question as QuestionDefinition } from "#core/questionnaire/definition.ts";
import { selectedOption, visibleContents, visibleOptions } from "#core/questionnaire/requirements.ts";
import { buildPath } from "#core/routes.ts";
import { fillText, type TextValues } from "#core/text.ts";
import { classes } from "#ui/classes.ts";
import { Icon, isIconName } from "#ui/Icon.tsx";
import { useReducedMotion, useTimeout } from "#ui/motion.ts";
import { Picture } from "#ui/Picture.tsx";
import { richText } from "#ui/richText.tsx";
import { SideSlot } from "#ui/Side.tsx";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { goToPath, questionPath } from "../../../navigation.ts";
import { isSignedIn } from "../../../session/storage.ts";
import { useSession, useSite } from "../../../siteContext.tsx";
import { Actions } from "./Actions.tsx";
import { Block, contentOf, loadOtherBlocks, traitsOf, validateContents } from "./blocks.tsx";
import { isWayBack, optionLink, optionLook } from "./options.ts";
import { Options } from "./Options.tsx";
import { prefetchFollowing } from "./prefetch.ts";
import styles from "./question.module.css";
import { Reward } from "./Reward.tsx";
import { WithoutAccount } from "./WithoutAccount.tsx";
import { useBlockSite } from "./useBlockSite.tsx";
import { WithoutScript } from "./WithoutScript.tsx";

/** Pictures of what can follow are fetched this long after a question shows, ms (spec 001 §9). */
const prefetchDelay = 250;
/** `scroll: afterDelay` scrolls to the actions after this, ms. */
const scrollDelay = 1500;
/** Shift-clicks on the header picture that jump to the shortcut question (spec 001 §9). */
const shortcutClicks = 6;
/** Contents that stand across a wide page, above its two columns. */
const headings: ReadonlySet<string> = new Set(["title", "title-sparkle", "description"]);

export function Question({ question }: { readonly question: QuestionDefinition }) {
  const site = useSite();
  const snapshot = useSession();
  const { state, context, fields, live } = snapshot;
  const { compiled } = site.session;
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  const [pressed, setPressed] = useState<number | null>(null);
  const [reward, setReward] = useState<Option | null>(null);
  const [side, setSide] = useState<HTMLElement | null>(null);
  const actions = useRef<HTMLDivElement>(null);
  const reduced = useReducedMotion();
  const isSignup = question.type === "SignupView";
  // Known on the device only; what is bought belongs to an account.
  const signedIn = isSignedIn(site.services.store);

  const contents = visibleContents(compiled, question, state, context).map((item, index) => ({
    content: contentOf(item),
    key: `${item.type}-${index}`,
  }));
  const options = visibleOptions(compiled, question, state, context);
  const status = validateContents(
    contents.map(({ content }) => content),
    { state, context, fields },
    (index) => done.has(contents[index]?.key ?? ""),
  );

  async function choose(option: Option) {
    if (pressed !== null || snapshot.busy) return;
    // Enter in a sign-up field asks even when its value is wrong: then the field says what is.
    const open = status === "pass" || isWayBack(option) || isSignup || contents.some(({ content }) => traitsOf(content).submits);
    if (!open) return;
    setPressed(option.id);
    if (option.reward !== undefined && reward === null) setReward(option);
    else await send(option);
  }
  async function send(option: Option) {
    try {
      await site.session.choose(question.id, option.id);
    } finally {
      // Still here: the answer was refused, failed, or leads to where it stands.
      setPressed(null);
      setReward(null);
    }
  }
  const submit = () => {
    const way = options.find((option) => !isWayBack(option));
    if (way !== undefined) void choose(way);
  };

  const blockSite = useBlockSite({ questionId: question.id, submit, onDone: (key) => setDone((before) => new Set([...before, key])) });
  const text = (value: QuestionDefinition["footnote"], more?: TextValues): ReactNode =>
    value === undefined ? null : richText(fillText(value, { ...blockSite.values, ...more }, blockSite.intl));

  const needs = new Set(contents.flatMap(({ content }) => traitsOf(content).needs ?? []));
  const pays = needs.has("product");
  /** Where this question only leads on to. */
  function wayOnward(): string | null {
    // Opened from its middle: a plan is made from a rhythm, so that is asked first (decision 061).
    const rhythm = compiled.definition.questions.find(({ id }) => compiled.nodes[id]?.choosesSchedule);
    if (state.schedule === undefined && rhythm !== undefined && (needs.has("schedule") || needs.has("days")))
      return questionPath(site.locale, compiled.definition.id, rhythm.id);
    // Who comes back to the plans after paying is not asked to pay again.
    const paid = pays && signedIn && site.services.store.get("paymentStatus") === "completed";
    return paid ? buildPath("questionnaire/thank-you", site.locale, { version: compiled.definition.id }) : null;
  }
  // Decided once, before any block comes to life and does something for a visitor who is about to be moved on.
  const [onward, setOnward] = useState<string | null>();
  if (live && onward === undefined) setOnward(wayOnward());
  const show = useEffectEvent(() => {
    if (typeof onward === "string") return goToPath(onward, { locale: site.locale, version: compiled.definition.id }, { replace: true });
    site.session.shown(question.id);
    if (pays && signedIn) site.services.offer.load();
  });
  useEffect(() => {
    if (live) show();
  }, [live]);
  useTimeout(
    () => {
      const fetchAhead = () => prefetchFollowing(compiled, question.id, site.locale);
      // What does not come now is asked for again before a question that needs it.
      loadOtherBlocks(site).then(fetchAhead, () => undefined);
      site.moreTexts().catch(() => undefined);
    },
    live ? prefetchDelay : null,
  );

  const scrollToActions = useEffectEvent(() => actions.current?.scrollIntoView({ block: "end", behavior: reduced ? "auto" : "smooth" }));
  useTimeout(() => scrollToActions(), live && question.scroll === "afterDelay" ? scrollDelay : null);
  const passed = status === "pass";
  const passedBefore = useRef(passed);
  const scrollsOnPass = question.scroll === "onPass";
  useEffect(() => {
    if (scrollsOnPass && passed && !passedBefore.current) scrollToActions();
    passedBefore.current = passed;
  }, [passed, scrollsOnPass]);

  const look = optionLook(options);
  const shown = options.filter((option) => status !== "block" || isWayBack(option));
  const choices = shown.filter((option) => look(option) === "card");
  const chosen = pressed ?? selectedOption(state, question.id) ?? null;
  const linkOf = (option: Option) =>
    status === "pass" || isWayBack(option) ? optionLink(site.locale, compiled, state, context, question, option) : null;

  const layout = question.layout ?? "column";
  const titleAt = contents.findIndex(({ content }) => isTitle(content));
  const [above, below] =
    layout === "level"
      ? [contents.slice(0, Math.max(titleAt, 0)), contents.slice(Math.max(titleAt, 0))]
      : layout === "wide"
        ? [contents.filter(isHeading), contents.filter((item) => !isHeading(item))]
        : [[], contents];
  const blocks = (items: typeof contents) =>
    items.map(({ content, key }) => (
      <Block
        key={key}
        content={content}
        id={`q${question.id}-${key}`}
        state={state}
        context={context}
        status={statusOf(content, key)}
        done={done.has(key)}
        site={{ ...blockSite, onDone: () => blockSite.onDoneOf(key) }}
      />
    ));
  const statusOf = (content: BlockContent, key: string) => validateContents([content], { state, context, fields }, () => done.has(key));

  const eyebrow = question.eyebrow && (
    <p className={styles["eyebrow"]}>
      {isIconName(question.eyebrow.icon) && <Icon name={question.eyebrow.icon} />}
      {text(question.eyebrow.text)}
    </p>
  );
  const answers = choices.length > 0 && (
    <Options
      question={question}
      options={choices}
      chosen={chosen}
      busy={snapshot.busy || pressed !== null}
      linkOf={linkOf}
      onChoose={(option) => void choose(option)}
      text={text}
    />
  );
  // Without script nothing ever ends or is filled in: the way on is shown as a link, as far as it leads.
  const withoutScript = isSignup ? (
    <noscript>
      <p className={styles["noscript"]}>{site.t("shell.noScript")}</p>
    </noscript>
  ) : (
    status !== "pass" && (
      <WithoutScript question={question} contents={contents.map(({ content }) => content)} options={options} text={text} />
    )
  );
  const ways = (
    <Actions
      ref={actions}
      options={shown.filter((option) => look(option) !== "card")}
      look={look}
      disabled={status === "fail"}
      busy={snapshot.busy}
      problem={snapshot.problem}
      linkOf={linkOf}
      onChoose={(option) => void choose(option)}
      text={text}
    />
  );
  const footnote = question.footnote !== undefined && <p className={styles["footnote"]}>{text(question.footnote)}</p>;

  return (
    <main
      id="main"
      tabIndex={-1}
      data-route="questionnaire/question"
      data-version={compiled.definition.id}
      data-question-id={question.id}
      {...(question.dark ? { "data-theme": "Kosmo" } : {})}
      className={classes(question.dark && styles["dark"], layout === "column" && styles["plain"], layout === "wide" && styles["roomy"])}
    >
      {question.wallpaper !== undefined && <Wallpaper image={question.wallpaper.image} gradient={question.wallpaper.gradient ?? false} />}
      <div className={classes(styles["page"], styles[layout], shown.some((option) => look(option) === "primary") && styles["acts"])}>
        {typeof onward === "string" ? null : live && pays && !signedIn ? (
          <WithoutAccount />
        ) : (
          <>
            {question.badge !== undefined && <Named name={question.badge} className={styles["badge"]} />}
            {question.header !== undefined && <Header question={question} alt={blockSite.plain(question.header.alt)} />}
            {layout === "level" ? (
              <>
                <div className={styles["main"]}>
                  {eyebrow}
                  {blocks(above)}
                </div>
                <div className={styles["answer"]}>
                  <div className="flow">{blocks(below)}</div>
                  {answers}
                  {withoutScript}
                  {ways}
                  {footnote}
                </div>
              </>
            ) : layout === "wide" ? (
              <SideSlot value={side}>
                <div className={styles["across"]}>
                  {eyebrow}
                  <div className="flow">{blocks(above)}</div>
                </div>
                <div className={classes(styles["main"], "flow")}>
                  {blocks(below)}
                  {answers}
                  {withoutScript}
                </div>
                <div className={styles["side"]}>
                  <div ref={setSide} className={styles["slot"]} />
                  {ways}
                  {footnote}
                </div>
              </SideSlot>
            ) : (
              <>
                {eyebrow}
                <div className="flow">{blocks(below)}</div>
                {answers}
                {footnote}
                {withoutScript}
                {ways}
              </>
            )}
          </>
        )}
        {reward?.reward !== undefined && (
          <Reward reward={reward.reward} text={text} plain={blockSite.plain} onEnd={() => void send(reward)} />
        )}
      </div>
    </main>
  );
}

function isHeading({ content }: { readonly content: BlockContent }): boolean {
  return headings.has(content.type);
}

function Named({
  name,
  className,
  alt = "",
  eager = false,
}: {
  readonly name: string;
  readonly className: string | undefined;
  readonly alt?: string;
  readonly eager?: boolean;
}) {
  const { locale } = useSite();
  const source = pictures[name];
  return source === undefined ? null : <Picture source={source} locale={locale} alt={alt} eager={eager} className={className} />;
}

function Wallpaper({ image, gradient }: { readonly image: string; readonly gradient: boolean }) {
  return (
    <div className={classes(styles["wallpaper"], gradient && styles["gradient"])} aria-hidden="true">
      <Named name={image} className={undefined} />
    </div>
  );
}

/** The picture above the heading. Six shift-clicks jump to the shortcut question: for whoever tests the funnel by hand. */
function Header({ question, alt }: { readonly question: QuestionDefinition; readonly alt: string }) {
  const { session } = useSite();
  const clicks = useRef(0);
  const { header } = question;
  const { shortcutQuestion } = session.compiled.definition;
  if (header === undefined) return null;
  return (
    <div
      className={classes(styles["header"], header.flexible && styles["flexible"])}
      onClick={(event) => {
        if (!event.shiftKey || shortcutQuestion === undefined) return;
        clicks.current += 1;
        if (clicks.current === shortcutClicks) session.dispatch({ type: "moveTo", questionId: shortcutQuestion });
      }}
    >
      <Named name={header.media} alt={alt} eager className={styles["media"]} />
      {header.badge !== undefined && <Named name={header.badge} className={styles["headerBadge"]} />}
    </div>
  );
}
