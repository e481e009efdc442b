/** For an ended plan: reactivate it or start anew (spec 001 §4, "Reactivate-or-new"). */
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useEffect, useEffectEvent, useState } from "react";
import { useKeptDiscount } from "../../../account/keptDiscount.ts";
import { goToPath, questionPath } from "../../../navigation.ts";
import type { Page } from "../../../page.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSession, useSite } from "../../../siteContext.tsx";
import { chooseNew, otherVersion } from "./startAnew.ts";

const route = "questionnaire/reactivate-or-new";

function View() {
  const site = useSite();
  const { t, locale, session } = site;
  const [busy, setBusy] = useState(false);
  const keptDiscount = useKeptDiscount();
  const version = session.compiled.definition.id;
  const here = { locale, version };
  const { live } = useSession();

  /** Shows the page of the account's version instead. @returns whether it is another one */
  async function goToOwn(): Promise<boolean> {
    const own = await otherVersion(site).catch(() => null);
    if (own !== null) goToPath(buildPath(route, locale, { version: own }) + keptDiscount, here, { replace: true });
    return own !== null;
  }
  const arrive = useEffectEvent(() => void goToOwn());
  useEffect(() => {
    if (live) arrive();
  }, [live]);

  async function begin() {
    setBusy(true);
    if (await goToOwn()) return;
    // Takes over the account's state first, because this device may not have it.
    await session.catchUp(false).catch(() => undefined);
    const question = chooseNew(site);
    goToPath(
      question === null ? buildPath("questionnaire/new-confirm", locale, { version }) : questionPath(locale, version, question),
      here,
    );
    setBusy(false);
  }
  return (
    <Scene
      route={route}
      figure="think"
      title={t("page.reactivate-or-new.title")}
      text={t("page.reactivate-or-new.text")}
      action={
        <>
          <Button arrow href={buildPath("questionnaire/reactivate", locale, { version }) + keptDiscount}>
            {t("page.reactivate-or-new.go")}
          </Button>
          <Button kind="link" busy={busy} onClick={() => void begin()}>
            {t("page.reactivate-or-new.new")}
          </Button>
        </>
      }
    />
  );
}

export const page: Page = {
  title: ({ t }) => t("meta.questionnaire/reactivate-or-new.title"),
  description: ({ t }) => t("meta.questionnaire/reactivate-or-new.description"),
  View,
};
