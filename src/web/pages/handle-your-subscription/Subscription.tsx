/** The visitor's plan, its status and the possible actions (spec 001 §4: handle-your-subscription shows the real state). */
import { brand } from "#content/brand.ts";
import type { SubscriptionView } from "#core/api.ts";
import { type Formats, formatsFor } from "#core/formats.ts";
import type { SubscriptionAction } from "#core/products.ts";
import { dayIn } from "#core/questionnaire/calendar.ts";
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { classes } from "#ui/classes.ts";
import { Note } from "#ui/Note.tsx";
import { Spinner } from "#ui/Spinner.tsx";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { UiKey } from "#content/texts/ui.ts";
import { useAccountVersion } from "../../account/version.ts";
import { isSignedIn } from "../../device/storage.ts";
import { useSession, useSite } from "../../siteContext.tsx";
import { type ManagedPlan, useManagedPlan } from "./managedPlan.ts";
import { planName } from "../../payment/planName.ts";
import styles from "./plan.module.css";

const { email } = brand.company;

/** Visitors without a session get a link to log in, because mails lead here to show or cancel the plan. */
export function Subscription({ onPlan }: { readonly onPlan?: (plan: SubscriptionView | null) => void }) {
  const { t, locale, services } = useSite();
  const { live } = useSession();
  const signedIn = live && isSignedIn(services.store);
  const managed = useManagedPlan(signedIn, onPlan);
  const { shown, result, doing, load } = managed;
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
              {t("question.onward")}
            </Button>
          </div>
        </>
      )}
      {typeof shown === "object" && shown !== null && <Plan plan={shown} managed={managed} answered={() => heading.current?.focus()} />}
      <p role="status" className={classes(styles["told"], (doing !== null || result !== null) && styles["awaited"])}>
        {result !== null && t(result)}
      </p>
      {result === "subscription.cancel.failed" && (
        <div className={styles["ways"]}>
          <Button kind="secondary" href={buildPath("contract/cancel", locale)}>
            {t("contract.cancel.title")}
          </Button>
        </div>
      )}
    </section>
  );
}

interface PlanProps {
  readonly plan: SubscriptionView;
  readonly managed: ManagedPlan;
  /** Called when the confirmation is answered: returns the focus. */
  readonly answered: () => void;
}

function Plan({ plan, managed: { doing, clearResult, change, toCardPage }, answered }: PlanProps) {
  const { t, rich, locale } = useSite();
  const formats = formatsFor(locale);
  const [asked, setAsked] = useState<AskedAction | null>(null);
  const version = useAccountVersion(plan);
  const owed = plan.status === "past_due";
  const lapsed = plan.status === "deleted" || plan.status === "paused";
  const out = endingActions(plan);
  const moneyBackUntil = isToEnd(plan) || plan.status === "deleted" ? (plan.moneyBackUntil ?? null) : null;
  const earlyEnd = asked === "cancel" ? plan.earlyEnd : null;
  function ask(action: AskedAction) {
    clearResult();
    setAsked(action);
  }
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
      <State plan={plan} />
      {plan.refundAtEnd != null && <p>{rich("subscription.line.refund", { PRICE: formats.money(plan.refundAtEnd, plan.currency) })}</p>}
      {plan.refunded != null && <p>{rich("subscription.line.refunded", { PRICE: formats.money(plan.refunded, plan.currency) })}</p>}
      {moneyBackUntil !== null && <p>{rich("subscription.moneyBack", { DATE: formats.longDate(moneyBackUntil), EMAIL: email })}</p>}
      <div className={styles["ways"]}>
        {owed && card}
        {plan.actions
          .filter((action) => continuesPlan(action) && action !== asked)
          .map((action) => (
            // Resuming charges at once, so it is confirmed with the amount.
            <Button key={action} busy={doing === action} onClick={() => (action === "resume" ? ask(action) : void carryOut(action))}>
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
              <Button key={action} kind="link" onClick={() => ask(action)}>
                {t(`subscription.${action}`)}
              </Button>
            ))}
        </div>
      )}
      {asked !== null && (
        <Confirmation
          asked={asked}
          text={rich(confirmationKey(asked, plan), {
            DATE: longDate(plan, earlyEnd?.end ?? plan.end, formats),
            PRICE: formats.money(earlyEnd?.back ?? plan.price, plan.currency),
          })}
          busy={doing === asked}
          yes={() => void carryOut(asked)}
          no={leaveQuestion}
        />
      )}
    </>
  );
}

/** The plan's name, status and next event. */
function State({ plan }: { readonly plan: SubscriptionView }) {
  const { t, rich, say, locale } = useSite();
  const formats = formatsFor(locale);
  const status = shownStatus(plan);
  return (
    <>
      <p className={styles["plan"]}>
        <b>{planName(plan, say)}</b>
        <span data-status={status}>{t(`subscription.status.${status}`)}</span>
      </p>
      {plan.status === "past_due" ? (
        // While a payment is overdue, the next charge is not shown: it would look as if all were well.
        <Note icon="info">{t("subscription.pastDue.text")}</Note>
      ) : (
        linesOf(plan).map(([key, at]) => (
          <p key={key}>{rich(key, { DATE: longDate(plan, at, formats), PRICE: formats.money(plan.price, plan.currency) })}</p>
        ))
      )}
    </>
  );
}

/** The date in the buyer's time zone; empty without one. */
function longDate({ timeZone }: SubscriptionView, time: string | null, formats: Formats): string {
  return time === null ? "" : formats.longDate(dayIn(Date.parse(time), timeZone ?? "UTC"));
}

interface ConfirmationProps {
  readonly asked: AskedAction;
  readonly text: ReactNode;
  readonly busy: boolean;
  readonly yes: () => void;
  readonly no: () => void;
}

function Confirmation({ asked, text, busy, yes, no }: ConfirmationProps) {
  const { t } = useSite();
  const question = useRef<HTMLDivElement>(null);
  // The pressed button is gone. Keyboard and screen reader users are led to its replacement.
  useEffect(() => question.current?.focus(), [asked]);
  return (
    <div ref={question} tabIndex={-1} className={styles["sure"]} role="group" aria-label={t(`subscription.${asked}`)}>
      <p>{text}</p>
      <div className={styles["ways"]}>
        <Button kind={asked === "resume" ? "primary" : "secondary"} busy={busy} onClick={yes}>
          {t(`subscription.${asked}.yes`)}
        </Button>
        <Button kind="link" onClick={no}>
          {t("subscription.no")}
        </Button>
      </div>
    </div>
  );
}

/** The actions that are confirmed. */
type AskedAction = Exclude<SubscriptionAction, "keep">;

const continuesPlan = (action: SubscriptionAction) => action === "keep" || action === "resume";

/** Actions that do not continue the plan. They stand apart from those that do. */
const endingActions = ({ actions }: SubscriptionView) => actions.filter((action) => action === "cancel" || action === "pause");

/** The confirmation's text. An unpaid plan ends at once. */
function confirmationKey(asked: AskedAction, { status, trialing, earlyEnd }: SubscriptionView): UiKey {
  if (asked !== "cancel") return `subscription.${asked}.sure`;
  if (status === "active" && trialing) return "subscription.line.willEnd";
  if (status === "past_due") return "subscription.cancel.owed";
  if (status === "deleted") return "subscription.cancel.lapsed";
  if (status === "paused") return "subscription.cancel.now";
  return earlyEnd == null ? "subscription.cancel.sure" : "subscription.cancel.early";
}

function shownStatus(plan: SubscriptionView) {
  if (plan.status !== "active") return plan.status;
  if (isToEnd(plan)) return "canceled";
  return plan.trialing ? "trial" : "active";
}

const isToEnd = ({ change }: SubscriptionView) => change?.action === "cancel";

/** The sentences about the plan's next events, with their dates. Access that was refunded has ended, but its subscription may charge again: both are named. */
function linesOf({
  productType,
  status,
  change,
  nextCharge,
  trialing,
  end,
}: SubscriptionView): readonly (readonly [UiKey, string | null])[] {
  if (status === "paused") return [["subscription.line.paused", null]];
  if (change !== null && status !== "deleted")
    return [[change.action === "pause" ? "subscription.line.willPause" : "subscription.line.willEnd", change.at]];
  const next = nextCharge === null ? [] : [[trialing ? "subscription.line.trial" : "subscription.line.next", nextCharge] as const];
  if (status === "deleted") return [["subscription.line.ended", end], ...next];
  if (nextCharge !== null) return next;
  const renewal = productType === "onetime" ? [["subscription.line.once", null] as const] : [];
  return [["subscription.line.until", end], ...renewal];
}
