/** The page of the confirmation mail's link, for web and app (spec 001 §4, "Confirm e-mail"). */
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import styles from "../../../account/account.module.css";
import type { TemporaryFailure } from "../../../account/temporaryFailure.ts";
import { useOwnVersion } from "../../../account/version.ts";
import { Waiting } from "../../../account/Waiting.tsx";
import type { Page } from "../../../page.ts";
import { isSignedIn } from "../../../device/storage.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSite } from "../../../siteContext.tsx";
import { type Step, useConfirmation } from "./confirmation.ts";

function View() {
  const { t, rich, locale } = useSite();
  const { step, elsewhere, mobile, withCode, busy, problem, confirm, goFurther, goOnAsOther } = useConfirmation();

  if (step.kind === "waiting") return <Waiting route="link/confirm-email" text={t("page.confirm-email.loading")} />;
  if (step.kind === "other")
    return (
      <Scene
        route="link/confirm-email"
        figure="think"
        title={t("page.link-login.title")}
        text={rich("page.link-login.other", { EMAIL: step.email })}
        action={
          <>
            <Button arrow onClick={() => void goOnAsOther()}>
              {t("page.link-login.go")}
            </Button>
            <Button kind="link" href={buildPath("home", locale)}>
              {t("page.link-login.home")}
            </Button>
          </>
        }
      />
    );
  if (step.kind === "ask")
    return (
      <Scene
        route="link/confirm-email"
        figure="phone"
        title={t("page.confirm-email.ask")}
        text={[
          t("page.confirm-email.askText"),
          t("page.confirm-email.askElsewhere"),
          ...(withCode ? [t("page.confirm-email.askCode")] : []),
        ].join(" ")}
        action={
          <Button arrow onClick={confirm}>
            {t("page.confirm-email.askGo")}
          </Button>
        }
      >
        {step.problem !== undefined && <p role="alert">{step.problem}</p>}
      </Scene>
    );
  if (step.kind !== "confirmed") return <Useless step={step} busy={busy} problem={problem} onGo={goFurther} />;
  return (
    <Confirmed elsewhere={elsewhere} signedOut={step.signedOut === true} mobile={mobile} busy={busy} problem={problem} onGo={goFurther} />
  );
}

interface UselessProps extends Pick<ConfirmedProps, "busy" | "problem" | "onGo"> {
  readonly step: Extract<Step, { readonly kind: "needless" | "failed" | "taken" }>;
}

/** The link no longer works. */
function Useless({ step, busy, problem, onGo }: UselessProps) {
  const { t, rich, locale, services } = useSite();
  const version = useOwnVersion();
  if (step.kind === "needless")
    return (
      <Scene
        route="link/confirm-email"
        figure="phone"
        title={t("page.verify-email.confirmedTitle")}
        text={rich("page.confirm-email.needless", { EMAIL: step.email })}
        action={
          <Button arrow busy={busy} onClick={onGo}>
            {t("page.link-login.go")}
          </Button>
        }
      >
        {problem !== null && <p role="alert">{t(problem)}</p>}
      </Scene>
    );
  // Whoever is signed in gets a new link without logging in.
  if (step.kind === "failed" && isSignedIn(services.store))
    return (
      <Scene
        route="link/confirm-email"
        figure="shrug"
        title={t("page.confirm-email.failed")}
        text={t("page.confirm-email.failedHere")}
        action={
          <Button arrow href={buildPath("questionnaire/verify-email", locale, { version })}>
            {t("page.post-purchase.go")}
          </Button>
        }
      />
    );
  return (
    <Scene
      route="link/confirm-email"
      figure="shrug"
      title={t(`page.confirm-email.${step.kind}`)}
      text={t(`page.confirm-email.${step.kind}Text`)}
      action={
        <Button arrow href={buildPath("login/link", locale)}>
          {t("page.recover-password.link")}
        </Button>
      }
    />
  );
}

interface ConfirmedProps {
  readonly elsewhere: boolean;
  readonly signedOut: boolean;
  readonly mobile: boolean;
  readonly busy: boolean;
  readonly problem: TemporaryFailure | null;
  readonly onGo: () => void;
}

function Confirmed({ elsewhere, signedOut, mobile, busy, problem, onGo }: ConfirmedProps) {
  const { t, locale, services } = useSite();
  return (
    <Scene
      route="link/confirm-email"
      figure="celebrate"
      confetti
      compact
      title={t("page.confirm-email.title")}
      text={
        signedOut
          ? `${t("page.confirm-email.text")} ${t("page.confirm-email.signedOut")}`
          : t(elsewhere ? "page.confirm-email.elsewhere" : "page.confirm-email.text")
      }
      action={
        mobile ? undefined : (
          <>
            {isSignedIn(services.store) ? (
              <Button arrow busy={busy} onClick={onGo}>
                {t("page.link-login.go")}
              </Button>
            ) : (
              <Button arrow href={buildPath("login/link", locale)}>
                {t("page.recover-password.link")}
              </Button>
            )}
            {elsewhere && (
              <Button kind="link" href={buildPath("forgot-password", locale)}>
                {t("page.confirm-email.newPassword")}
              </Button>
            )}
          </>
        )
      }
    >
      <svg className={styles["tick"]} viewBox="0 0 88 88" aria-hidden="true" data-tick>
        <circle cx="44" cy="44" r="40" pathLength="1" />
        <path d="M27 45.5 39 57.5 62 33" pathLength="1" />
      </svg>
      {problem !== null && <p role="alert">{t(problem)}</p>}
    </Scene>
  );
}

// The title asks, because nothing is confirmed before the button is pressed.
export const page: Page = {
  title: ({ t }) => t("page.confirm-email.askGo"),
  description: ({ t }) => t("page.confirm-email.askText"),
  View,
};
