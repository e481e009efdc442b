/** Clears our data in this browser: every storage key and the locale cookie. */
import { localeCookieName } from "#core/page.ts";
import { buildPath } from "#core/routes.ts";
import { useState } from "react";
import type { Page } from "../../../page.ts";
import { storageKeys } from "../../../device/storage.ts";
import { useSession, useSite } from "../../../siteContext.tsx";
import styles from "../dev.module.css";
import { Frame } from "../Frame.tsx";

function View() {
  const { locale, services } = useSite();
  const { live } = useSession();
  const [done, setDone] = useState(false);
  const kept = live ? storageKeys.filter((key) => services.store.get(key) !== null) : [];
  const reset = () => {
    for (const key of storageKeys) services.store.remove(key);
    document.cookie = `${localeCookieName}=; path=/; max-age=0`;
    setDone(true);
  };
  return (
    <Frame route="dev/reset" title="Reset">
      <p role="status">{done ? "Forgotten." : kept.length === 0 ? "Nothing is kept." : `Kept now: ${kept.join(", ")}.`}</p>
      <div className={styles["buttons"]}>
        <button type="button" onClick={reset}>
          Forget everything
        </button>
      </div>
      <p>
        <a href={buildPath("home", locale)}>To the home page</a>
      </p>
    </Frame>
  );
}

export const page: Page = { title: () => "Reset", View };
