/** Overlays that load after the page: cookie banner and settings, offline notice, old-system notice, marketing consent and chat button. */
import { parseContent, validateContents } from "#blocks/allContents.ts";
import { allGrants, consentCategories, type Grants, noGrants } from "#core/consent.ts";
import { traitsOf } from "#content/questionnaires/known.ts";
import { visibleContents } from "#core/questionnaire/requirements.ts";
import { buildPath, matchPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import { usePathname } from "../navigation.ts";
import type { Session } from "../session/session.ts";
import { isSignedIn } from "../device/storage.ts";
import { OldSystem } from "../shell/OldSystem.tsx";
import { SiteProvider, useSite, type WebSite } from "../siteContext.tsx";
import { sendMarketingConsent } from "../session/marketingConsent.ts";
import type { Answered } from "../shell/answered.ts";
import type { Consent } from "./consent.ts";
import { focusPage } from "../shell/focusPage.ts";
import styles from "./overlays.module.css";

export interface OverlayParts {
  readonly consent: Consent;
  /** Null if no chat is configured; the footer has a help link. */
  readonly openChat: (() => void) | null;
  readonly answered: Answered;
}

export interface Overlays {
  readonly openSettings: () => void;
}

export function mountOverlays(site: WebSite, parts: OverlayParts): Overlays {
  const place = document.body.appendChild(document.createElement("div"));
  // If the settings are requested before they are rendered, they open right after.
  let wanted = false;
  let openSettings = (): void => {
    wanted = true;
  };
  const drawn = (opener: () => void) => {
    openSettings = opener;
    if (wanted) opener();
    wanted = false;
  };
  createRoot(place, { onUncaughtError: (error) => site.services.report(error) }).render(
    <SiteProvider value={site}>
      <Below>
        <ConnectionLine />
        <CookieChoice consent={parts.consent} onOpener={drawn} />
      </Below>
      <OldSystem answered={parts.answered} />
      <MarketingConsent />
      {parts.openChat !== null && <ChatButton onOpen={parts.openChat} />}
    </SiteProvider>,
  );
  return { openSettings: () => openSettings() };
}

/** The area at the lower edge. The page reserves its height, so that it hides neither the end of the page nor the focused element. */
function Below({ children }: { readonly children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      document.documentElement.style.setProperty("--below", `${Math.ceil(element.getBoundingClientRect().height)}px`);
      const focused = document.activeElement;
      if (focused === null || element.contains(focused)) return;
      const { top, bottom } = focused.getBoundingClientRect();
      const edge = element.getBoundingClientRect().top;
      if (top < innerHeight && bottom > edge && bottom - top < edge) focused.scrollIntoView({ block: "nearest" });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} className={styles["below"]}>
      {children}
    </div>
  );
}

function ConnectionLine() {
  const { t } = useSite();
  const online = useSyncExternalStore(watchConnection, () => navigator.onLine);
  return (
    <div role="status" className={styles["connection"]}>
      {online ? "" : t("shell.offline")}
    </div>
  );
}

function watchConnection(changed: () => void): () => void {
  for (const name of ["online", "offline"]) addEventListener(name, changed);
  return () => {
    for (const name of ["online", "offline"]) removeEventListener(name, changed);
  };
}

function CookieChoice({ consent, onOpener }: { readonly consent: Consent; readonly onOpener: (open: () => void) => void }) {
  const { t, locale } = useSite();
  const asks = useSyncExternalStore(consent.subscribe, consent.asks);
  const [open, setOpen] = useState(false);
  const banner = useRef<HTMLElement>(null);
  const title = useId();
  useEffect(() => onOpener(() => setOpen(true)), [onOpener]);

  const choose = (categories: Grants, source: "banner" | "settings") => {
    setOpen(false);
    // The pressed button disappears with the banner, so the focus moves to the page.
    if (banner.current?.contains(document.activeElement)) focusPage();
    consent.choose(categories, source);
  };
  return (
    <>
      {asks && (
        <section ref={banner} className={styles["banner"]} aria-labelledby={title} data-consent="banner">
          <div className={styles["words"]}>
            <h2 id={title}>{t("consent.title")}</h2>
            <p>
              {t("consent.text")} <a href={buildPath("legal/privacy", locale)}>{t("consent.more")}</a>
            </p>
          </div>
          <div className={styles["ways"]}>
            <Button kind="secondary" onClick={() => choose(noGrants, "banner")}>
              {t("consent.reject")}
            </Button>
            <Button kind="secondary" onClick={() => choose(allGrants, "banner")}>
              {t("consent.accept")}
            </Button>
            <Button kind="secondary" onClick={() => setOpen(true)}>
              {t("consent.adjust")}
            </Button>
          </div>
        </section>
      )}
      {open && <Settings grants={consent.grants()} onChoose={(grants) => choose(grants, "settings")} onClose={() => setOpen(false)} />}
    </>
  );
}

function Settings({
  grants,
  onChoose,
  onClose,
}: {
  readonly grants: Grants;
  readonly onChoose: (grants: Grants) => void;
  readonly onClose: () => void;
}) {
  const { t, locale } = useSite();
  const [chosen, setChosen] = useState(grants);
  const dialog = useRef<HTMLDialogElement>(null);
  const choose = (categories: Grants) => {
    // Closing returns the focus to the element that had it before.
    dialog.current?.close();
    onChoose(categories);
  };
  const title = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className={styles["dialog"]} aria-labelledby={title} onClose={onClose} data-consent="settings">
      <h2 id={title}>{t("consent.settings")}</h2>
      <label className={styles["category"]}>
        <input type="checkbox" checked disabled />
        <b>{t("consent.needed")}</b>
        <span>{t("consent.needed.text")}</span>
      </label>
      {consentCategories.map((category) => (
        <label key={category} className={styles["category"]}>
          <input
            type="checkbox"
            name={category}
            checked={chosen[category]}
            onChange={(event) => setChosen({ ...chosen, [category]: event.currentTarget.checked })}
          />
          <b>{t(`consent.${category}`)}</b>
          <span>{t(`consent.${category}.text`)}</span>
        </label>
      ))}
      <div className={styles["ways"]}>
        <Button kind="secondary" onClick={() => choose(noGrants)}>
          {t("consent.reject")}
        </Button>
        <Button kind="secondary" onClick={() => choose(allGrants)}>
          {t("consent.accept")}
        </Button>
        <Button onClick={() => choose(chosen)}>{t("consent.save")}</Button>
      </div>
      <p className={styles["more"]}>
        <a href={buildPath("legal/privacy", locale)}>{t("consent.more")}</a>
      </p>
    </dialog>
  );
}

/**
 * Asks once after sign-up for consent to e-mail marketing, if the law requires it and the version has no question for it (spec 001 §7).
 * It appears only with a new question that has no field, payment or running animation to interrupt.
 */
function MarketingConsent() {
  const { t, rich, session, services } = useSite();
  const path = usePathname(location.pathname);
  const [asks, setAsks] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const version = session.compiled.definition.id;

  const arrived = useEffectEvent(() => {
    const { state, context } = session.snapshot();
    const { uuid } = state.user;
    if (services.store.get("marketingConsentDue") === null || uuid === undefined || !isSignedIn(services.store)) return;
    if (!context.requiresMarketingConsent || traitsOf(version).asksMarketingConsent || !isUninterrupted(session, path)) return;
    services.store.remove("marketingConsentDue");
    setAsks(true);
    services.track({ eventType: "QuestionnairePopupShown", payload: { popupId: "MarketingConsent" } });
    // Records on the server that the dialog was shown. If the call fails, the answer counts all the same.
    services.api.call("popup", { body: { uuid, questionnaire: version, popupId: "MarketingConsent" } }).catch(() => undefined);
  });
  useEffect(() => arrived(), [path]);
  useEffect(() => {
    if (asks) dialog.current?.showModal();
  }, [asks]);
  if (!asks) return null;
  const answer = (consent: boolean) => {
    dialog.current?.close();
    void sendMarketingConsent(services, consent);
  };
  const closed = () => {
    setAsks(false);
    focusPage();
  };
  return (
    <dialog ref={dialog} className={styles["dialog"]} aria-labelledby={title} onClose={closed} data-consent="marketing">
      <h2 id={title}>{rich("marketing.title")}</h2>
      <p>{rich("marketing.text")}</p>
      <div className={styles["ways"]}>
        <Button kind="secondary" onClick={() => answer(false)}>
          {t("marketing.no")}
        </Button>
        <Button kind="secondary" onClick={() => answer(true)}>
          {t("marketing.yes")}
        </Button>
      </div>
    </dialog>
  );
}

/** Whether the page is a question that only waits for an answer: no field, no running animation, no payment form. */
function isUninterrupted({ compiled, snapshot }: Session, path: string): boolean {
  const match = matchPath(path);
  const question = match.kind === "page" && match.route === "questionnaire/question" && compiled.question(Number(match.params.question));
  if (!question || question.type === "SignupView") return false;
  const { state, context, fields } = snapshot();
  const contents = visibleContents(compiled, question, state, context).map(parseContent);
  return validateContents(contents, { state, context, fields }, () => false) !== "block";
}

/** Hidden on questions, where it would cover the answers. */
function ChatButton({ onOpen }: { readonly onOpen: () => void }) {
  const { t } = useSite();
  const match = matchPath(usePathname(location.pathname));
  if (match.kind === "page" && match.route === "questionnaire/question") return null;
  return (
    <Button kind="secondary" icon="messages-square" className={styles["chat"]} onClick={onOpen}>
      {t("chat.open")}
    </Button>
  );
}
