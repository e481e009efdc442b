/** For an ended plan: reactivate it or start anew (spec 001 §4, "Reactivate-or-new"). */
import { buildPath } from "#core/routes.ts";
import { Button } from "#ui/Button.tsx";
import { useState } from "react";
import { useKeptDiscount } from "../../../account/keptDiscount.ts";
import { goToPath, questionPath } from "../../../navigation.ts";
import type { Page } from "../../../page.ts";
import { Scene } from "../../../shell/Scene.tsx";
import { useSite } from "../../../siteContext.tsx";
import { chooseNew } from "./startAnew.ts";

function View() {
  const site = useSite();
  const { t, locale, session } = site;
  const [busy, setBusy] = useState(false);
  const keptDiscount = useKeptDiscount();
  const version = session.compiled.definition.id;
  const here = { locale, version };
  async function begin() {
    setBusy(true);
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
      route="questionnaire/reactivate-or-new"
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
