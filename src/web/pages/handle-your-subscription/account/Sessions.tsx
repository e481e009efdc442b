/** The account's open sessions, each of which can be ended (V7.5.2 of OWASP ASVS 5.0). */
import { formatsFor } from "#core/formats.ts";
import * as codes from "#core/errorCodes.ts";
import type { Output } from "#core/api.ts";
import { dayIn } from "#core/questionnaire/calendar.ts";
import { Button } from "#ui/Button.tsx";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import styles from "../../../account/account.module.css";
import { problemKey } from "../../../account/EmailScene.tsx";
import { PasswordProof } from "../../../account/PasswordProof.tsx";
import { ApiError } from "../../../api/request.ts";
import { useSite } from "../../../siteContext.tsx";

type OpenSession = Output<"sessions">["sessions"][number];
/** Which sessions to end: one by its id, or all others. */
type Target = string | "others";

function useOpenSessions() {
  const { t, say, services } = useSite();
  const { api } = services;
  const [open, setOpen] = useState<readonly OpenSession[]>([]);
  const [ending, setEnding] = useState<Target | null>(null);
  /** The sessions to end once the password is typed: the server does not know this device and asks for it. */
  const [unproven, setUnproven] = useState<Target | null>(null);
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string>();
  const heading = useRef<HTMLHeadingElement>(null);

  const load = async () => setOpen((await api.call("sessions")).sessions);
  // If the call fails, no list is shown.
  const start = useEffectEvent(() => void load().catch(() => undefined));
  useEffect(() => start(), []);

  async function end(target: Target) {
    if (ending !== null) return;
    setEnding(target);
    setProblem(undefined);
    try {
      await api.call("endSessions", { body: { ...(target === "others" ? {} : { id: target }), ...(password === "" ? {} : { password }) } });
      setUnproven(null);
      setPassword("");
      await load();
      // The pressed button, which had the focus, is gone.
      heading.current?.focus();
    } catch (error) {
      if (error instanceof ApiError && error.code === codes.invalidInput) setUnproven(target);
      else
        setProblem(
          error instanceof ApiError && error.code === codes.wrongCredentials ? t("page.update-email.wrong") : say(problemKey(error)),
        );
    } finally {
      setEnding(null);
    }
  }
  return { open, ending, unproven, password, setPassword, problem, end, heading };
}

export function Sessions() {
  const { t, locale } = useSite();
  const formats = formatsFor(locale);
  const { open, ending, unproven, password, setPassword, problem, end, heading } = useOpenSessions();
  if (open.length < 2) return null;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return (
    <section className={styles["part"]}>
      <h2 ref={heading} tabIndex={-1}>
        {t("page.account.sessions")}
      </h2>
      <p>{t("page.account.sessions.text")}</p>
      <ul role="list" className={styles["sessions"]}>
        {open.map(({ id, browser, usedAt, current }) => (
          <li key={id}>
            <p id={`session-${id}`}>
              {browser === "" ? t("page.account.sessions.unknown") : browser}
              <small>
                {current
                  ? t("page.account.sessions.here")
                  : t("page.account.sessions.used", { DATE: formats.longDate(dayIn(Date.parse(usedAt), timeZone)) })}
              </small>
            </p>
            {!current && (
              <Button kind="link" aria-describedby={`session-${id}`} busy={ending === id} onClick={() => void end(id)}>
                {t("page.account.sessions.end")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {unproven !== null && (
        <PasswordProof hint={t("page.account.sessions.proof")} value={password} onChange={setPassword} error={problem} />
      )}
      {unproven === null && problem !== undefined && (
        <p role="alert" className={styles["bad"]}>
          {problem}
        </p>
      )}
      <Button kind="secondary" busy={ending === "others"} onClick={() => void end("others")}>
        {t("page.account.sessions.others")}
      </Button>
    </section>
  );
}
