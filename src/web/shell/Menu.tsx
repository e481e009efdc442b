/** The menu with its three items (spec 001 §2, "Shared layout"), and logging out. */
import { buildPath, isPageRoute } from "#core/routes.ts";
import { Icon } from "#ui/Icon.tsx";
import { useState } from "react";
import { accountAddress } from "../device/accountAddress.ts";
import { isSignedIn } from "../device/storage.ts";
import { importOrReload } from "../newBuild.ts";
import { useSession, useSite } from "../siteContext.tsx";
import { Disclosure } from "./Disclosure.tsx";
import styles from "./shell.module.css";

export function MenuItems() {
  const { t, locale, session, services } = useSite();
  const { live } = useSession();
  const signedIn = live && isSignedIn(services.store);
  const login = isPageRoute("login/link")
    ? buildPath("login/link", locale)
    : buildPath("questionnaire/user", locale, { version: session.compiled.definition.id });
  return (
    <ul role="list">
      <li>
        <a href={buildPath("home", locale)}>{t("shell.nav.start")}</a>
      </li>
      <li>
        <a href={login}>{t(signedIn ? "shell.nav.switch" : "shell.nav.login")}</a>
      </li>
      <li>
        <a href={buildPath("handle-your-subscription", locale)}>{t("shell.nav.subscription")}</a>
      </li>
      {signedIn && (
        <li>
          <LogOut />
        </li>
      )}
    </ul>
  );
}

/** Every page that shows anything of an account has it (V7.4.4 of OWASP ASVS 5.0). */
function LogOut() {
  const site = useSite();
  const [busy, setBusy] = useState(false);
  async function logOut() {
    setBusy(true);
    const { leave } = await importOrReload(import("./logOut.ts"));
    await leave(site);
  }
  return (
    <button type="button" aria-busy={busy || undefined} disabled={busy} onClick={() => void logOut().catch(() => setBusy(false))}>
      {site.t("shell.nav.logout")}
    </button>
  );
}

/** The signed-in address, with a link to the account. */
function SignedIn() {
  const { rich, locale, services } = useSite();
  const { live } = useSession();
  if (!live || !isSignedIn(services.store)) return null;
  const email = accountAddress(services.store);
  return (
    <p className={styles["who"]}>
      <a href={buildPath("handle-your-subscription/account", locale)}>{rich("shell.nav.in", { EMAIL: email })}</a>
    </p>
  );
}

export function Menu() {
  const { t } = useSite();
  return (
    <Disclosure
      className={styles["menu"]}
      summary={
        <>
          <span className="sr">{t("shell.menu")}</span>
          <Icon name="menu" stroke={2.2} />
        </>
      }
    >
      <SignedIn />
      <MenuItems />
    </Disclosure>
  );
}
