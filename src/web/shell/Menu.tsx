/** The menu with its three items (spec 001 §2, "Shared layout"). */
import { buildPath, isPageRoute } from "#core/routes.ts";
import { Icon } from "#ui/Icon.tsx";
import { isSignedIn } from "../device/storage.ts";
import { useSession, useSite } from "../siteContext.tsx";
import { accountAddress } from "./accountAddress.ts";
import { Disclosure } from "./Disclosure.tsx";
import styles from "./shell.module.css";

export function MenuItems() {
  const { t, locale, session, services } = useSite();
  const { live } = useSession();
  const login = isPageRoute("login/link")
    ? buildPath("login/link", locale)
    : buildPath("questionnaire/user", locale, { version: session.compiled.definition.id });
  return (
    <ul role="list">
      <li>
        <a href={buildPath("home", locale)}>{t("shell.nav.start")}</a>
      </li>
      <li>
        <a href={login}>{t(live && isSignedIn(services.store) ? "shell.nav.switch" : "shell.nav.login")}</a>
      </li>
      <li>
        <a href={buildPath("handle-your-subscription", locale)}>{t("shell.nav.subscription")}</a>
      </li>
    </ul>
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
