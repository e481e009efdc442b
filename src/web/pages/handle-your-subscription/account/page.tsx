/** The account page: export data, erase the account, log out. */
import * as codes from "#core/errorCodes.ts";
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { Note } from "#ui/Note.tsx";
import { unbroken } from "#ui/richText.tsx";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import styles from "../../../account/account.module.css";
import { useAddress } from "../../../account/address.ts";
import { problemKey } from "../../../account/EmailScene.tsx";
import { PasswordProof } from "../../../account/PasswordProof.tsx";
import { forgetVisit, leave } from "../../../shell/logOut.ts";
import { useOwnVersion } from "../../../account/version.ts";
import { ApiError } from "../../../api/request.ts";
import type { Page } from "../../../page.ts";
import { isSignedIn } from "../../../device/storage.ts";
import { accountAddress } from "../../../device/accountAddress.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";
import { Sessions } from "./Sessions.tsx";

type Doing = "export" | "logout" | "erase";

const route = "handle-your-subscription/account" as const;

/** Whether erasing the account ends a plan. False if unknown: the general wording fits both cases. */
function useHasPlan(signedIn: boolean): boolean {
  const { api } = useSite().services;
  const [hasPlan, setHasPlan] = useState(false);
  const ask = useEffectEvent(async () => {
    const { subscription } = await api.call("subscription").catch(() => ({ subscription: null }));
    // A subscription can outlive its access: then a charge is still to come.
    setHasPlan(subscription !== null && (subscription.status !== "deleted" || subscription.nextCharge !== null));
  });
  useEffect(() => {
    if (signedIn) void ask();
  }, [signedIn]);
  return hasPlan;
}

/** Runs one action at a time and holds its error. */
function useAttempts() {
  const { t, say } = useSite();
  const [doing, setDoing] = useState<Doing | null>(null);
  const [problem, setProblem] = useState<{ readonly where: Doing; readonly text: string } | null>(null);
  async function attempt(where: Doing, work: () => Promise<void>) {
    if (doing !== null) return;
    setDoing(where);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem({ where, text: problemText(error) });
    } finally {
      setDoing(null);
    }
  }
  function problemText(error: unknown): string {
    if (!(error instanceof ApiError)) return say(problemKey(error));
    // The password was left blank, and no recent login by a link replaces it.
    if (error.code === codes.invalidInput) return t("validator_required");
    return error.code === codes.wrongCredentials ? t("page.update-email.wrong") : say(problemKey(error));
  }
  const problemOf = (where: Doing) => (problem?.where === where ? problem.text : undefined);
  return { doing, problemOf, attempt };
}
type Attempts = ReturnType<typeof useAttempts>;

function offerDownload(data: unknown) {
  const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "account.json";
  link.click();
  URL.revokeObjectURL(url);
}

function View() {
  const { t, locale, services } = useSite();
  const { live } = useSession();
  const signedIn = live && isSignedIn(services.store);
  const hasPlan = useHasPlan(signedIn);
  const [erased, setErased] = useState(false);
  useEffect(() => {
    if (erased) document.querySelector<HTMLElement>("main h1")?.focus();
  }, [erased]);

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
  return <Parts hasPlan={hasPlan} onErased={() => setErased(true)} />;
}

interface PartsProps {
  readonly hasPlan: boolean;
  readonly onErased: () => void;
}

function Parts({ hasPlan, onErased }: PartsProps) {
  const { t, rich, locale, services } = useSite();
  const address = useAddress();
  const version = useOwnVersion();
  const attempts = useAttempts();
  return (
    <Scene
      route={route}
      figure="phone"
      title={t("page.account.title")}
      text={rich("page.account.text", { EMAIL: address?.email ?? accountAddress(services.store) })}
    >
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
          <p>{unbroken(t("page.account.password.text"))}</p>
          <Button kind="secondary" href={buildPath("forgot-password", locale)}>
            {t("page.recover-password.reset")}
          </Button>
        </section>
        <Leave {...attempts} />
        <Sessions />
        <Export {...attempts} />
        <Erase {...attempts} hasPlan={hasPlan} onErased={onErased} />
      </div>
    </Scene>
  );
}

function Leave({ doing, attempt }: Attempts) {
  const site = useSite();
  const { t } = site;
  return (
    <section className={styles["part"]}>
      <h2>{t("shell.nav.logout")}</h2>
      <p>{t("page.account.logout.text")}</p>
      <Button kind="secondary" busy={doing === "logout"} onClick={() => void attempt("logout", () => leave(site))}>
        {t("shell.nav.logout")}
      </Button>
    </section>
  );
}

function Export({ doing, problemOf, attempt }: Attempts) {
  const { t, services } = useSite();
  const problem = problemOf("export");
  const download = async () => offerDownload(await services.api.call("accountExport"));
  return (
    <section className={styles["part"]}>
      <h2>{t("page.account.export")}</h2>
      <p>{t("page.account.export.text")}</p>
      {problem !== undefined && (
        <p role="alert" className={styles["bad"]}>
          {problem}
        </p>
      )}
      <Button kind="secondary" icon="download" busy={doing === "export"} onClick={() => void attempt("export", download)}>
        {t("page.account.export.go")}
      </Button>
    </section>
  );
}

function Erase({ doing, problemOf, attempt, hasPlan, onErased }: Attempts & PartsProps) {
  const site = useSite();
  const { t, services } = site;
  const [sure, setSure] = useState(false);
  const [password, setPassword] = useState("");
  const heading = useRef<HTMLHeadingElement>(null);
  async function erase() {
    await services.api.call("accountErase", { body: password === "" ? {} : { password } });
    forgetVisit(site);
    onErased();
  }
  return (
    <section className={styles["part"]}>
      <h2 ref={heading} tabIndex={-1}>
        {t("page.account.erase")}
      </h2>
      <p>{t("page.account.erase.text")}</p>
      {hasPlan && <Note icon="info">{t("page.account.erase.plan")}</Note>}
      {sure ? (
        <>
          <PasswordProof hint={t("page.account.erase.hint")} value={password} onChange={setPassword} error={problemOf("erase")} />
          <div className={styles["ways"]}>
            <Button kind="secondary" busy={doing === "erase"} onClick={() => void attempt("erase", erase)}>
              {t("page.account.erase.sure")}
            </Button>
            <Button
              kind="link"
              onClick={() => {
                setSure(false);
                heading.current?.focus();
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
  );
}

export const page: Page = { title: ({ t }) => t("page.account.title"), description: ({ t }) => t("page.account.signedOut"), View };
