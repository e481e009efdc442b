/** The visitor's own plan as it stands, and what can be done with it (spec 001 §4: handle-your-subscription shows the real state). */
import type { SubscriptionView } from "#core/api.ts";
import { parsePlan } from "#core/money.ts";
import type { SubscriptionAction } from "#core/products.ts";
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { Note } from "#ui/Note.tsx";
import { useTimeout } from "#ui/motion.ts";
import { Spinner } from "#ui/Spinner.tsx";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { UiKey } from "#content/texts/ui.ts";
import { ApiError } from "../api/client.ts";
import { isSignedIn } from "../session/storage.ts";
import { useSession, useSite } from "../siteContext.tsx";
import styles from "./subscription.module.css";

/** The loader hides after this at the latest, ms (spec 001 §9). */
const loaderLimit = 15_000;

type Shown = SubscriptionView | null | "loading" | "failed";
type Doing = SubscriptionAction | "card";

/** Visitors who are not logged in are led to it: here is where a mail sends whoever wants to see or cancel the plan. */
export function Subscription() {
  const site = useSite();
  const { t, rich, say, formats, locale, session, services } = site;
  const { live } = useSession();
  const [shown, setShown] = useState<Shown>("loading");
  const [doing, setDoing] = useState<Doing | null>(null);
  const [asked, setAsked] = useState<SubscriptionAction | null>(null);
  const [told, setTold] = useState<UiKey | null>(null);
  const signedIn = live && isSignedIn(services.store);
  const heading = useRef<HTMLHeadingElement>(null);
  const question = useRef<HTMLDivElement>(null);

  const load = useEffectEvent(async () => {
    setShown("loading");
    try {
      setShown((await services.api.call("subscription")).subscription);
    } catch {
      // The panel says so and offers to try again.
      setShown("failed");
    }
  });
  useEffect(() => {
    if (signedIn) void load();
  }, [signedIn]);
  // A plan that comes after that is shown all the same.
  useTimeout(() => setShown("failed"), signedIn && shown === "loading" ? loaderLimit : null);
  // The button that was pressed is gone: whoever goes by keyboard or ear is led to what came instead.
  useEffect(() => {
    if (asked !== null) question.current?.focus();
  }, [asked]);
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

  async function change(action: SubscriptionAction) {
    setDoing(action);
    setTold(null);
    try {
      setShown((await services.api.call("subscriptionChange", { body: { action } })).subscription);
      setTold(`subscription.done.${action}`);
      answered();
    } catch (error) {
      setTold(whyNot(error));
    } finally {
      setDoing(null);
    }
  }
  function answered() {
    setAsked(null);
    heading.current?.focus();
  }
  async function toCardPage() {
    setDoing("card");
    setTold(null);
    try {
      location.assign((await services.api.call("subscriptionCard")).url);
    } catch (error) {
      setTold(whyNot(error));
      setDoing(null);
    }
  }

  const version = session.compiled.definition.id;
  const plan = typeof shown === "object" ? shown : null;
  const lapsed = plan !== null && (plan.status === "deleted" || plan.status === "paused");
  const date = (time: string) => formats.longDate(time.slice(0, 10));
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
      {plan !== null && (
        <>
          <p className={styles["plan"]}>
            <b>{planName(plan, say)}</b>
            <span data-status={plan.status}>{t(statusKey(plan))}</span>
          </p>
          {plan.status === "past_due" ? (
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
          <div className={styles["ways"]}>
            {plan.status === "past_due" && (
              <Button busy={doing === "card"} onClick={() => void toCardPage()}>
                {t("subscription.card")}
              </Button>
            )}
            {plan.actions
              .filter((action) => action !== asked)
              .map((action) => (
                <Button
                  key={action}
                  kind={action === "keep" || action === "resume" ? "primary" : "secondary"}
                  busy={doing === action}
                  onClick={() => (action === "cancel" || action === "pause" ? setAsked(action) : void change(action))}
                >
                  {t(`subscription.${action}`)}
                </Button>
              ))}
            {plan.status !== "past_due" && plan.actions.length > 0 && (
              <Button kind="link" busy={doing === "card"} onClick={() => void toCardPage()}>
                {t("subscription.card")}
              </Button>
            )}
            {lapsed && plan.actions.length === 0 && (
              <Button arrow href={buildPath("questionnaire/reactivate-or-new", locale, { version })}>
                {t("subscription.comeBack")}
              </Button>
            )}
          </div>
          {asked !== null && (
            <div ref={question} tabIndex={-1} className={styles["sure"]} role="group" aria-label={t(`subscription.${asked}`)}>
              <p>{rich(asked === "cancel" ? "subscription.cancel.sure" : "subscription.pause.sure", { DATE: date(plan.end ?? "") })}</p>
              <div className={styles["ways"]}>
                <Button kind="secondary" busy={doing === asked} onClick={() => void change(asked)}>
                  {t(asked === "cancel" ? "subscription.cancel.yes" : "subscription.pause.yes")}
                </Button>
                <Button kind="link" onClick={answered}>
                  {t("subscription.no")}
                </Button>
              </div>
            </div>
          )}
        </>
      )}
      <p role="status">{told !== null && t(told)}</p>
    </section>
  );
}

/** A device that the account does not know is asked to log in: that makes it known. */
function whyNot(error: unknown): UiKey {
  return error instanceof ApiError && error.fields["password"] !== undefined ? "subscription.proof" : "subscription.failed";
}

function planName(
  { productPlan, productType }: SubscriptionView,
  say: (key: string, values?: Readonly<Record<string, string | number>>) => string,
): string {
  const { count, unit } = parsePlan(productPlan);
  const length = say("block.price.length", { COUNT: count, UNIT: unit });
  return say(productType === "onetime" ? "subscription.onetime" : "subscription.plan", { LENGTH: length });
}

function statusKey({ status, trialing }: SubscriptionView): UiKey {
  return status === "active" && trialing ? "subscription.status.trial" : `subscription.status.${status}`;
}

/** The one sentence on what happens next. */
function lineKey({ status, change, nextCharge, trialing }: SubscriptionView): UiKey {
  if (status === "deleted") return "subscription.line.ended";
  if (status === "paused") return "subscription.line.paused";
  if (change !== null) return change.action === "pause" ? "subscription.line.willPause" : "subscription.line.willEnd";
  if (nextCharge === null) return "subscription.line.until";
  return trialing ? "subscription.line.trial" : "subscription.line.next";
}
