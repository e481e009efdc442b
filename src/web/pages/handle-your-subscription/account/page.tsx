/** One's own data: to take away, to erase; and the way out of this device. */
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { Field } from "#ui/Field.tsx";
import { Note } from "#ui/Note.tsx";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import styles from "../../../account/account.module.css";
import { useAddress } from "../../../account/address.ts";
import { problemKey } from "../../../account/EmailScene.tsx";
import { useKnownAddress } from "../../../account/knownAddress.ts";
import { forgetPerson, logOut } from "../../../account/leave.ts";
import { useOwnVersion } from "../../../account/version.ts";
import { ApiError } from "../../../api/request.ts";
import type { Page } from "../../../page.ts";
import { isSignedIn } from "../../../session/storage.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";

type Doing = "export" | "logout" | "erase";

const passwordId = "erase-password";

function View() {
  const { t, rich, say, locale, services } = useSite();
  const { live } = useSession();
  const known = useKnownAddress();
  const address = useAddress();
  const email = address?.email ?? known;
  const version = useOwnVersion();
  const [doing, setDoing] = useState<Doing | null>(null);
  const [problem, setProblem] = useState<{ readonly where: Doing; readonly text: string } | null>(null);
  const [sure, setSure] = useState(false);
  const [password, setPassword] = useState("");
  const [erased, setErased] = useState(false);
  const [hasPlan, setHasPlan] = useState(false);
  const { api, store } = services;
  const signedIn = live && isSignedIn(store);
  const askForPlan = useEffectEvent(async () => {
    // Without an answer the general words stay: they are true with a plan and without.
    const { subscription } = await api.call("subscription").catch(() => ({ subscription: null }));
    setHasPlan(subscription !== null && subscription.status !== "deleted");
  });
  useEffect(() => {
    if (signedIn) void askForPlan();
  }, [signedIn]);
  const eraseHeading = useRef<HTMLHeadingElement>(null);
  // What was pressed is gone: whoever goes by keyboard or ear is led to what came instead.
  useEffect(() => {
    if (sure) document.getElementById(passwordId)?.focus();
  }, [sure]);
  useEffect(() => {
    if (erased) document.querySelector<HTMLElement>("main h1")?.focus();
  }, [erased]);

  async function attempt(where: Doing, work: () => Promise<void>) {
    if (doing !== null) return;
    setDoing(where);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      const wrongPassword = error instanceof ApiError && (error.code === 1001 || error.code === 1000);
      setProblem({ where, text: wrongPassword ? t("error.1001") : say(problemKey(error)) });
    } finally {
      setDoing(null);
    }
  }

  async function download() {
    const data = await api.call("accountExport");
    const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = "account.json";
    link.click();
    URL.revokeObjectURL(url);
  }

  async function erase() {
    await api.call("accountErase", { body: password === "" ? {} : { password } });
    forgetPerson(store);
    setErased(true);
  }

  const route = "handle-your-subscription/account" as const;
  if (erased)
    return (
      <Scene
        route={route}
        figure="wave"
        title={t("page.account.erased")}
        text={t(hasPlan ? "page.account.erased.plan" : "page.account.erased.text")}
        action={<Button href={buildPath("home", locale)}>{t("page.account.erased.go")}</Button>}
      />
    );
  if (!signedIn)
    return (
      <Scene
        route={route}
        figure="think"
        title={t("page.account.title")}
        text={t("page.account.signedOut")}
        action={
          <Button arrow href={buildPath("login/link", locale)}>
            {t("page.user.go")}
          </Button>
        }
      />
    );
  const told = (where: Doing) =>
    problem?.where === where ? (
      <p role="alert" className={styles["bad"]}>
        {problem.text}
      </p>
    ) : null;
  return (
    <Scene route={route} figure="phone" title={t("page.account.title")} text={rich("page.account.text", { EMAIL: email })}>
      <div className={styles["parts"]}>
        <section className={styles["part"]}>
          <h2>{t("page.account.email")}</h2>
          <p>
            {address !== null && address.pending !== null
              ? rich("page.account.email.pending", { EMAIL: address.pending })
              : t("page.account.email.text")}
          </p>
          <Button kind="secondary" href={buildPath("questionnaire/update-email", locale, { version })}>
            {t("page.verify-email.change")}
          </Button>
        </section>
        <section className={styles["part"]}>
          <h2>{t("page.account.password")}</h2>
          <p>{t("page.account.password.text")}</p>
          <Button kind="secondary" href={buildPath("forgot-password", locale)}>
            {t("page.recover-password.reset")}
          </Button>
        </section>
        <section className={styles["part"]}>
          <h2>{t("page.account.logout")}</h2>
          <p>{t("page.account.logout.text")}</p>
          <Button
            kind="secondary"
            busy={doing === "logout"}
            onClick={() =>
              void attempt("logout", async () => {
                await logOut(services);
                location.assign(buildPath("home", locale));
              })
            }
          >
            {t("page.account.logout")}
          </Button>
        </section>
        <section className={styles["part"]}>
          <h2>{t("page.account.export")}</h2>
          <p>{t("page.account.export.text")}</p>
          {told("export")}
          <Button kind="secondary" icon="download" busy={doing === "export"} onClick={() => void attempt("export", download)}>
            {t("page.account.export.go")}
          </Button>
        </section>
        <section className={styles["part"]}>
          <h2 ref={eraseHeading} tabIndex={-1}>
            {t("page.account.erase")}
          </h2>
          <p>{t("page.account.erase.text")}</p>
          {hasPlan && <Note icon="info">{t("page.account.erase.plan")}</Note>}
          {sure ? (
            <>
              <div>
                <Field
                  id={passwordId}
                  label={t("page.account.erase.password")}
                  hint={t("page.account.erase.hint")}
                  type="password"
                  autoComplete="current-password"
                  value={password}
                  onChange={setPassword}
                  toggle={{ show: say("block.signupPassword.show"), hide: say("block.signupPassword.hide") }}
                  error={problem?.where === "erase" ? problem.text : undefined}
                />
              </div>
              <div className={styles["ways"]}>
                <Button kind="secondary" busy={doing === "erase"} onClick={() => void attempt("erase", erase)}>
                  {t("page.account.erase.sure")}
                </Button>
                <Button
                  kind="link"
                  onClick={() => {
                    setSure(false);
                    eraseHeading.current?.focus();
                  }}
                >
                  {t("page.account.erase.keep")}
                </Button>
              </div>
            </>
          ) : (
            <Button kind="secondary" onClick={() => setSure(true)}>
              {t("page.account.erase")}
            </Button>
          )}
        </section>
      </div>
    </Scene>
  );
}

export const page: Page = { title: ({ t }) => t("page.account.title"), description: ({ t }) => t("page.account.signedOut"), View };
