/** The visitor's own plan as it stands, and what can be done with it (spec 001 §4: handle-your-subscription shows the real state). */
import { brand } from "#content/brand.ts";
import type { SubscriptionView } from "#core/api.ts";
import type { SubscriptionAction } from "#core/products.ts";
import { dayIn } from "#core/questionnaire/calendar.ts";
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { classes } from "#ui/classes.ts";
import { Note } from "#ui/Note.tsx";
import { useTimeout } from "#ui/motion.ts";
import { Spinner } from "#ui/Spinner.tsx";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import type { UiKey } from "#content/texts/ui.ts";
import { ApiError } from "../api/request.ts";
import { isSignedIn } from "../session/storage.ts";
import { useSession, useSite } from "../siteContext.tsx";
import { planName } from "./planName.ts";
import styles from "./subscription.module.css";

/** The loader hides after this at the latest, ms (spec 001 §9). */
const loaderLimit = 15_000;

const { email } = brand.company;

type Shown = SubscriptionView | null | "loading" | "failed";
type Doing = SubscriptionAction | "card";

/** Visitors who are not logged in are led to it: here is where a mail sends whoever wants to see or cancel the plan. */
export function Subscription({ onPlan }: { readonly onPlan?: (plan: SubscriptionView | null) => void }) {
  const { t, locale, services } = useSite();
  const { live } = useSession();
  const signedIn = live && isSignedIn(services.store);
  const managed = usePlan(signedIn, onPlan);
  const { shown, told, load } = managed;
  const heading = useRef<HTMLHeadingElement>(null);
  if (!signedIn)
    return (
      <section className={styles["panel"]} aria-labelledby="your-plan">
        <h2 id="your-plan">{t("subscription.title")}</h2>
        <p>{t("subscription.signedOut")}</p>
        <div className={styles["ways"]}>
          <Button arrow href={buildPath("login/link", locale)}>
            {t("page.user.go")}
          </Button>
        </div>
      </section>
    );
  return (
    <section className={styles["panel"]} aria-labelledby="your-plan" aria-busy={shown === "loading"}>
      <h2 id="your-plan" ref={heading} tabIndex={-1}>
        {t("subscription.title")}
      </h2>
      {shown === "loading" && <Spinner label={t("shell.loading")} />}
      {shown === "failed" && (
        <>
          <p>{t("subscription.unavailable")}</p>
          <Button kind="secondary" icon="refresh-cw" onClick={() => void load()}>
            {t("block.price.retry")}
          </Button>
        </>
      )}
      {shown === null && (
        <>
          <p>{t("subscription.none")}</p>
          <div className={styles["ways"]}>
            <Button arrow href={buildPath("questionnaire/raffle", locale)}>
              {t("home.continue")}
            </Button>
          </div>
        </>
      )}
      {typeof shown === "object" && shown !== null && <Plan plan={shown} managed={managed} answered={() => heading.current?.focus()} />}
      <p role="status" className={styles["told"]}>
        {told !== null && t(told)}
      </p>
    </section>
  );
}

interface Managed {
  readonly shown: Shown;
  readonly doing: Doing | null;
  /** What came of the last press. */
  readonly told: UiKey | null;
  readonly load: () => Promise<void>;
  /** Resolves with whether it was done. */
  readonly change: (action: SubscriptionAction) => Promise<boolean>;
  readonly toCardPage: () => Promise<void>;
}

function usePlan(signedIn: boolean, onPlan?: (plan: SubscriptionView | null) => void): Managed {
  const { api } = useSite().services;
  const [shown, setShown] = useState<Shown>("loading");
  const [doing, setDoing] = useState<Doing | null>(null);
  const [told, setTold] = useState<UiKey | null>(null);

  function show(plan: SubscriptionView | null) {
    setShown(plan);
    onPlan?.(plan);
  }
  async function load() {
    setShown("loading");
    try {
      show((await api.call("subscription")).subscription);
    } catch {
      // The panel says so and offers to try again.
      setShown("failed");
    }
  }
  const begin = useEffectEvent(() => void load());
  useEffect(() => {
    if (signedIn) begin();
  }, [signedIn]);
  // A plan that comes after that is shown all the same.
  useTimeout(() => setShown("failed"), signedIn && shown === "loading" ? loaderLimit : null);

  async function attempt(what: Doing, work: () => Promise<void>, failed: (error: unknown) => UiKey = whyNot): Promise<boolean> {
    setDoing(what);
    setTold(null);
    try {
      await work();
      return true;
    } catch (error) {
      setTold(failed(error));
      return false;
    } finally {
      setDoing(null);
    }
  }
  function change(action: SubscriptionAction): Promise<boolean> {
    const ask = async (wanted: SubscriptionAction) =>
      show((await api.call("subscriptionChange", { body: { action: wanted } })).subscription);
    let unpaused = false;
    const work = async () => {
      // A pause that is planned would stand in the way of the end.
      if (action === "cancel" && typeof shown === "object" && shown?.change?.action === "pause") {
        await ask("keep");
        unpaused = true;
      }
      await ask(action);
      setTold(`subscription.done.${action}`);
    };
    return attempt(action, work, (error) => (unpaused ? "subscription.cancel.half" : whyNot(error)));
  }

  const cardOpened = useRef(false);
  /** The provider's page has no way back: it opens beside this one, and with the press, or the browser would not let it. */
  async function toCardPage() {
    const tab = window.open("", "_blank");
    const opened = await attempt("card", async () => {
      const { url } = await api.call("subscriptionCard");
      if (tab === null) return location.assign(url);
      tab.opener = null;
      tab.location.replace(url);
      cardOpened.current = true;
      setTold("subscription.card.opened");
    });
    if (!opened) tab?.close();
  }
  const comeBack = useEffectEvent(async () => {
    if (document.visibilityState !== "visible" || !cardOpened.current) return;
    try {
      show((await api.call("subscription")).subscription);
      setTold(null);
    } catch {
      // It stays as it was; the way to the card's page is still there.
    }
  });
  useEffect(() => {
    const back = () => void comeBack();
    document.addEventListener("visibilitychange", back);
    return () => document.removeEventListener("visibilitychange", back);
  }, []);
  return { shown, doing, told, load, change, toCardPage };
}

interface PlanProps {
  readonly plan: SubscriptionView;
  readonly managed: Managed;
  /** What was asked is answered: the focus goes where it came from. */
  readonly answered: () => void;
}

function Plan({ plan, managed: { doing, change, toCardPage }, answered }: PlanProps) {
  const { t, rich, say, formats, locale, session } = useSite();
  const [asked, setAsked] = useState<SubscriptionAction | null>(null);
  const { id: version } = session.compiled.definition;
  const owed = plan.status === "past_due";
  const lapsed = plan.status === "deleted" || plan.status === "paused";
  const date = (time: string) => (time === "" ? "" : formats.longDate(dayIn(Date.parse(time), plan.timeZone ?? "UTC")));
  const out = waysOut(plan);
  const moneyBackUntil = isToEnd(plan) || plan.status === "deleted" ? (plan.moneyBackUntil ?? null) : null;
  function leaveQuestion() {
    setAsked(null);
    answered();
  }
  async function carryOut(action: SubscriptionAction) {
    if (await change(action)) leaveQuestion();
  }
  const card = (
    <Button kind={owed ? "primary" : "secondary"} busy={doing === "card"} onClick={() => void toCardPage()}>
      {t("subscription.card")}
    </Button>
  );
  return (
    <>
      <p className={styles["plan"]}>
        <b>{planName(plan, say)}</b>
        <span data-status={shownStatus(plan)}>{t(`subscription.status.${shownStatus(plan)}`)}</span>
      </p>
      {owed ? (
        // What is owed comes first: a next payment would say that all is well.
        <Note icon="info">{t("subscription.pastDue.text")}</Note>
      ) : (
        <p>
          {rich(lineKey(plan), {
            DATE: date(plan.change?.at ?? plan.nextCharge ?? plan.end ?? ""),
            PRICE: formats.money(plan.price, plan.currency),
          })}
        </p>
      )}
      {moneyBackUntil !== null && <p>{rich("subscription.moneyBack", { DATE: formats.longDate(moneyBackUntil), EMAIL: email })}</p>}
      <div className={styles["ways"]}>
        {owed && card}
        {plan.actions.filter(goesOn).map((action) => (
          <Button key={action} busy={doing === action} onClick={() => void carryOut(action)}>
            {t(`subscription.${action}`)}
          </Button>
        ))}
        {!owed && !isToEnd(plan) && plan.actions.length > 0 && card}
        {moneyBackUntil !== null && (
          <Button kind="secondary" icon="mail" href={`mailto:${email}`}>
            {t("page.subscription.write")}
          </Button>
        )}
        {lapsed && plan.actions.length === 0 && (
          <Button arrow href={buildPath("questionnaire/reactivate-or-new", locale, { version })}>
            {t("subscription.comeBack")}
          </Button>
        )}
      </div>
      {out.some((action) => action !== asked) && (
        <div className={classes(styles["ways"], styles["out"])}>
          {out
            .filter((action) => action !== asked)
            .map((action) => (
              <Button key={action} kind="link" onClick={() => setAsked(action)}>
                {t(`subscription.${action}`)}
              </Button>
            ))}
        </div>
      )}
      {asked !== null && (
        <Sure
          asked={asked}
          text={rich(sureKey(asked, plan), { DATE: date(plan.end ?? "") })}
          busy={doing === asked}
          yes={() => void carryOut(asked)}
          no={leaveQuestion}
        />
      )}
    </>
  );
}

interface SureProps {
  readonly asked: SubscriptionAction;
  readonly text: ReactNode;
  readonly busy: boolean;
  readonly yes: () => void;
  readonly no: () => void;
}

function Sure({ asked, text, busy, yes, no }: SureProps) {
  const { t } = useSite();
  const question = useRef<HTMLDivElement>(null);
  // The button that was pressed is gone: whoever goes by keyboard or ear is led to what came instead.
  useEffect(() => question.current?.focus(), [asked]);
  return (
    <div ref={question} tabIndex={-1} className={styles["sure"]} role="group" aria-label={t(`subscription.${asked}`)}>
      <p>{text}</p>
      <div className={styles["ways"]}>
        <Button kind="secondary" busy={busy} onClick={yes}>
          {t(asked === "cancel" ? "subscription.cancel.yes" : "subscription.pause.yes")}
        </Button>
        <Button kind="link" onClick={no}>
          {t("subscription.no")}
        </Button>
      </div>
    </div>
  );
}

const goesOn = (action: SubscriptionAction) => action === "keep" || action === "resume";

/** Ending is possible whatever is planned, and stands apart from what goes on. */
function waysOut({ actions, change }: SubscriptionView): readonly SubscriptionAction[] {
  const out = actions.filter((action) => !goesOn(action));
  return change?.action === "pause" && actions.includes("keep") ? [...out, "cancel"] : out;
}

/** What is not paid ends at once. */
function sureKey(asked: SubscriptionAction, { status }: SubscriptionView): UiKey {
  if (asked !== "cancel") return "subscription.pause.sure";
  if (status === "past_due") return "subscription.cancel.owed";
  return status === "paused" ? "subscription.cancel.now" : "subscription.cancel.sure";
}

/** A device that the account does not know is asked to log in: that makes it known. */
function whyNot(error: unknown): UiKey {
  return error instanceof ApiError && error.fields["password"] !== undefined ? "subscription.proof" : "subscription.failed";
}

function shownStatus(plan: SubscriptionView) {
  if (plan.status !== "active") return plan.status;
  if (isToEnd(plan)) return "canceled";
  return plan.trialing ? "trial" : "active";
}

const isToEnd = ({ change }: SubscriptionView) => change?.action === "cancel";

/** The one sentence on what happens next. */
function lineKey({ status, change, nextCharge, trialing }: SubscriptionView): UiKey {
  if (status === "deleted") return "subscription.line.ended";
  if (status === "paused") return "subscription.line.paused";
  if (change !== null) return change.action === "pause" ? "subscription.line.willPause" : "subscription.line.willEnd";
  if (nextCharge === null) return "subscription.line.until";
  return trialing ? "subscription.line.trial" : "subscription.line.next";
}
